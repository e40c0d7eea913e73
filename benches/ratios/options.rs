//! What the command line asks for.

/// What is to be done.
#[derive(Clone, Copy)]
pub enum Command {
    /// The table.
    Measure,
    /// In a process of its own: one run with so many clients, for its memory.
    Child { clients: u32 },
    /// In a process of its own: the demo, for its memory.
    ChildDemo,
}

/// The options.
pub struct Options {
    pub command: Command,
    /// Fewer rounds and no more than 100,000 clients.
    pub quick: bool,
    /// The whole model with 10,000,000 clients too.
    pub huge: bool,
    /// The rows wanted; none for all.
    only: Vec<String>,
    /// Seeds over which the peers are compared (≥ 2).
    pub seeds: u64,
}

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    /// An argument that is not known, with those that are.
    pub fn read(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            command: Command::Measure,
            quick: false,
            huge: false,
            only: Vec::new(),
            seeds: 10,
        };
        while let Some(arg) = args.next() {
            let mut number = || args.next().and_then(|text| text.parse::<u32>().ok());
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--huge" => options.huge = true,
                "--seeds" => match number() {
                    Some(seeds @ 2..) => options.seeds = u64::from(seeds),
                    _ => return Err("--seeds needs a number, 2 or more".to_string()),
                },
                "--child" => match number() {
                    Some(clients) => options.command = Command::Child { clients },
                    None => return Err("--child needs a number of clients".to_string()),
                },
                "--child-demo" => options.command = Command::ChildDemo,
                "--only" => {
                    let rows = args.next().unwrap_or_default().to_lowercase();
                    options.only.extend(rows.split(',').map(str::to_string));
                    if let Some(row) = options.only.iter().find(|row| !ROWS.contains(&&***row)) {
                        return Err(format!("no row {row:?}; there are {}", ROWS.join(", ")));
                    }
                }
                // Cargo passes this one.
                "--bench" => {}
                other => return Err(format!("what is {other:?}? See the head of main.rs")),
            }
        }
        Ok(options)
    }

    /// Whether this row is wanted.
    pub fn wants(&self, row: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only.eq_ignore_ascii_case(row))
    }

    /// Whether one of these rows is wanted.
    pub fn wants_any(&self, rows: &[&str]) -> bool {
        rows.iter().any(|row| self.wants(row))
    }

    /// Rounds of every measurement.
    pub fn rounds(&self) -> usize {
        if self.quick { 3 } else { 7 }
    }
}

/// All rows.
const ROWS: &[&str] =
    &["t1", "t2", "t3", "t4", "t5", "t8", "t11", "t12", "t13", "twin", "start", "demo"];
