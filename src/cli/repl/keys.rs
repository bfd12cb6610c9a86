//! One key, without Enter: what to do after an answer.

use std::io;

/// What is to happen after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Next,
    All,
    Stop,
}

const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;

/// Waits for a key that means something.
pub(super) fn wish() -> io::Result<Wish> {
    loop {
        match key()? {
            Some(b';' | b' ' | b'n' | b'\t') => return Ok(Wish::Next),
            Some(b'a') => return Ok(Wish::All),
            // 27 is Escape.
            None | Some(b'\r' | b'\n' | b'.' | b'q' | b'c' | 27 | CTRL_C | CTRL_D) => {
                return Ok(Wish::Stop);
            }
            Some(_) => {}
        }
    }
}

/// The next key, as it is pressed; `None` at the end of input.
#[cfg(unix)]
fn key() -> io::Result<Option<u8>> {
    use nix::sys::termios::{LocalFlags, SetArg, tcgetattr, tcsetattr};

    let input = io::stdin();
    let usual = tcgetattr(&input)?;
    let mut single = usual.clone();
    // A key comes at once and unseen, and Ctrl-C as the byte 3: it ends the answers and not an evaluation.
    single
        .local_flags
        .remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
    tcsetattr(&input, SetArg::TCSANOW, &single)?;
    let mut byte = [0];
    let read = nix::unistd::read(&input, &mut byte);
    // Put back before the result is looked at: a failure must not leave the terminal without echo.
    tcsetattr(&input, SetArg::TCSANOW, &usual)?;
    Ok((read? == 1).then_some(byte[0]))
}

/// The first character of the next line, where there are no single keys.
#[cfg(not(unix))]
fn key() -> io::Result<Option<u8>> {
    let mut line = String::new();
    match io::stdin().read_line(&mut line)? {
        0 => Ok(None),
        _ => Ok(line.bytes().next()),
    }
}
