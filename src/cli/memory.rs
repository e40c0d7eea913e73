//! Memory of the program, for the simulator's own work: never part of a result.

/// The most memory that the program has had so far, in bytes; known on Linux only.
pub(crate) fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// The memory that the program has now, in bytes; known on Linux only.
pub(crate) fn now() -> Option<u64> {
    status("VmRSS:")
}

fn status(key: &str) -> Option<u64> {
    bytes(&std::fs::read_to_string("/proc/self/status").ok()?, key)
}

/// The value of a line such as `VmHWM:     5128 kB`.
fn bytes(status: &str, key: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = value.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_the_kernel_are_read() {
        let status = "Name:\therdsim\nVmHWM:\t    5128 kB\nVmRSS:\t      40 kB\nThreads:\t1\n";
        assert_eq!(bytes(status, "VmHWM:"), Some(5128 * 1024));
        assert_eq!(bytes(status, "VmRSS:"), Some(40 * 1024));
        assert_eq!(bytes(status, "VmSwap:"), None);
        assert_eq!(bytes("VmHWM: many kB", "VmHWM:"), None);
    }
}
