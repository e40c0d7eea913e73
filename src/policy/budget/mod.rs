//! May a caller retry at all?

mod aws_quota;

pub use aws_quota::AwsQuota;

use crate::failure::FailureClass;
use crate::form::Form;
use crate::policy::Scope;

/// What the scenario language can say.
pub const FORMS: &[Form<Budget>] = &[aws_quota::FORM];

/// A budget and who shares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// The rules.
    pub budget: Budget,
    /// Who shares one level.
    pub scope: Scope,
}

/// The rules of a budget; the variant is the key of the scenario language.
#[derive(Clone, Debug, PartialEq)]
pub enum Budget {
    /// The retry quota of the AWS SDKs.
    AwsQuota(AwsQuota),
}

/// The tokens that are left: the state of one call, client, process or fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Tokens (0 … capacity).
    pub tokens: u32,
}

impl Budget {
    /// The level at the start.
    pub fn full(&self) -> Level {
        match self {
            Budget::AwsQuota(quota) => quota.full(),
        }
    }

    /// Pays for a retry after a failure of this class: what it cost, or `None` when the budget
    /// does not allow it.
    pub fn pay(&self, level: &mut Level, class: FailureClass) -> Option<u32> {
        match self {
            Budget::AwsQuota(quota) => quota.pay(level, class),
        }
    }

    /// The call succeeded; `last_cost` is what its last retry cost, `None` when it took none.
    pub fn reward(&self, level: &mut Level, last_cost: Option<u32>) {
        match self {
            Budget::AwsQuota(quota) => quota.reward(level, last_cost),
        }
    }
}
