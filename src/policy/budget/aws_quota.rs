//! The retry quota of the AWS SDKs.

use super::{Budget, Level};
use crate::failure::FailureClass;
use crate::form::{Form, Shape, default, like, table};

/// A bucket of tokens that failures empty and successes fill.
///
/// A retry costs 14 tokens after a transient error and 5 after a throttling error; a success
/// gives back what the call's *last* retry cost, or 1 token when it needed no retry; a call that
/// fails gives nothing back. Capacity 500, full at the start. Figures: AWS SDKs and Tools
/// Reference Guide, "Retry behavior", as the default since 2026-11-10.
#[derive(Clone, Debug, PartialEq)]
pub struct AwsQuota {
    /// Tokens in a full bucket (≥ 1).
    pub capacity: u32,
    /// Tokens for a retry after a transient error (≥ 0).
    pub cost: u32,
    /// Tokens for a retry after a timeout (≥ 0): as many as after a transient error in the
    /// default of the SDKs; 10 in their standard mode before it, where that cost 5.
    pub cost_timeout: u32,
    /// Tokens for a retry after a throttling error (≥ 0).
    pub cost_throttling: u32,
    /// Tokens for a success at the first attempt (≥ 0).
    pub reward: u32,
}

/// Its words in the scenario language.
pub(super) const FORM: Form<Budget> = Form {
    name: "aws-quota",
    doc: "The retry quota of the AWS SDKs.",
    shape: Some(Shape::Table(&table(
        "a retry quota",
        &[
            default("capacity", "500", Shape::Whole(1), "Tokens in a full bucket, 1 or more."),
            default("cost", "14", Shape::Whole(0), "Tokens for a retry after a transient error."),
            like(
                "cost_timeout",
                "cost",
                Shape::Whole(0),
                "Tokens for a retry after a timeout; as many as `cost` when not given.",
            ),
            default(
                "cost_throttling",
                "5",
                Shape::Whole(0),
                "Tokens for a retry after a throttling error.",
            ),
            default("reward", "1", Shape::Whole(0), "Tokens for a success at the first attempt."),
        ],
    ))),
    build: |given| {
        Budget::AwsQuota(AwsQuota {
            capacity: given.whole("capacity"),
            cost: given.whole("cost"),
            cost_timeout: given.whole("cost_timeout"),
            cost_throttling: given.whole("cost_throttling"),
            reward: given.whole("reward"),
        })
    },
};

impl AwsQuota {
    /// A full bucket.
    pub fn full(&self) -> Level {
        Level { tokens: self.capacity }
    }

    /// Takes the cost of a retry, if it is there: 14 tokens buy a retry that costs 14.
    pub fn pay(&self, level: &mut Level, class: FailureClass) -> Option<u32> {
        let cost = match class {
            FailureClass::Throttling => self.cost_throttling,
            FailureClass::Timeout => self.cost_timeout,
            FailureClass::Transient | FailureClass::Fatal => self.cost,
        };
        level.tokens = level.tokens.checked_sub(cost)?;
        Some(cost)
    }

    /// Gives back the last cost, or the reward; never above the capacity.
    pub fn reward(&self, level: &mut Level, last_cost: Option<u32>) {
        let back = last_cost.unwrap_or(self.reward);
        level.tokens = level.tokens.saturating_add(back).min(self.capacity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTA: AwsQuota =
        AwsQuota { capacity: 500, cost: 14, cost_timeout: 14, cost_throttling: 5, reward: 1 };

    #[test]
    fn a_full_bucket_buys_35_transient_or_100_throttling_retries() {
        for (class, retries) in [(FailureClass::Transient, 35), (FailureClass::Throttling, 100)] {
            let mut level = QUOTA.full();
            let bought = (0..1_000).take_while(|_| QUOTA.pay(&mut level, class).is_some()).count();
            assert_eq!(bought, retries, "{class}");
        }
    }

    #[test]
    fn ten_tokens_buy_throttling_retries_only() {
        let mut level = Level { tokens: 10 };
        assert_eq!(QUOTA.pay(&mut level, FailureClass::Timeout), None);
        assert_eq!(QUOTA.pay(&mut level, FailureClass::Throttling), Some(5));
        assert_eq!(level.tokens, 5);
    }

    #[test]
    fn a_timeout_has_a_cost_of_its_own() {
        let quota = AwsQuota { cost: 5, cost_timeout: 10, ..QUOTA };
        let mut level = quota.full();
        assert_eq!(quota.pay(&mut level, FailureClass::Timeout), Some(10));
        assert_eq!(quota.pay(&mut level, FailureClass::Transient), Some(5));
        assert_eq!(level.tokens, 485);
    }

    #[test]
    fn a_success_gives_back_only_the_last_cost() {
        let mut level = QUOTA.full();
        QUOTA.pay(&mut level, FailureClass::Transient);
        QUOTA.pay(&mut level, FailureClass::Throttling);
        QUOTA.reward(&mut level, Some(5));
        assert_eq!(level.tokens, 486);
        QUOTA.reward(&mut level, Some(14));
        QUOTA.reward(&mut level, None);
        assert_eq!(level.tokens, 500);
    }
}
