//! One key, without Enter: what to do after an answer.

use std::io;

#[cfg(unix)]
use nix::sys::termios::{
    LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcgetattr, tcsetattr,
};

/// What is to happen after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Next,
    All,
    Stop,
}

const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const ESCAPE: u8 = 27;

/// Tenths of a second after which Escape is a key of its own, and not the first byte of another.
#[cfg(unix)]
const PAUSE: u8 = 1;

/// Waits for a key that means something.
pub(super) fn wish() -> io::Result<Wish> {
    loop {
        match key()? {
            Some(b';' | b' ' | b'n' | b'\t') => return Ok(Wish::Next),
            Some(b'a') => return Ok(Wish::All),
            None | Some(b'\r' | b'\n' | b'.' | b'q' | b'c' | ESCAPE | CTRL_C | CTRL_D) => {
                return Ok(Wish::Stop);
            }
            Some(_) => {}
        }
    }
}

/// The next key that is one byte, as it is pressed; `None` at the end of input.
#[cfg(unix)]
fn key() -> io::Result<Option<u8>> {
    let input = io::stdin();
    let usual = tcgetattr(&input)?;
    let mut single = usual.clone();
    // A key comes at once and unseen, and Ctrl-C as the byte 3: it ends the answers and not an evaluation.
    single
        .local_flags
        .remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
    let pressed = pressed(&input, single);
    // Put back before the result is looked at: a failure must not leave the terminal without echo.
    tcsetattr(&input, SetArg::TCSANOW, &usual)?;
    pressed
}

/// The next key that is one byte. Arrows and other keys that are sent as Escape and more bytes are read as a whole,
/// so that nothing of them is left for the next prompt.
#[cfg(unix)]
fn pressed(input: &io::Stdin, mut single: Termios) -> io::Result<Option<u8>> {
    loop {
        let first = byte(input, &mut single, 0)?;
        if first != Some(ESCAPE) {
            return Ok(first);
        }
        match byte(input, &mut single, PAUSE)? {
            None => return Ok(first),
            // Parameters, and a byte from `@` to `~` at the end: `[A` is an arrow, `[1;5C` one with Ctrl.
            Some(b'[') => while let Some(b' '..=b'?') = byte(input, &mut single, PAUSE)? {},
            // An arrow as well, or F1 to F4.
            Some(b'O') => {
                byte(input, &mut single, PAUSE)?;
            }
            // A key that was pressed with Alt.
            Some(_) => {}
        }
    }
}

/// The next byte; none at the end of input, or if none comes within so many tenths of a second, where 0 is for ever.
#[cfg(unix)]
fn byte(input: &io::Stdin, single: &mut Termios, pause: u8) -> io::Result<Option<u8>> {
    single.control_chars[SpecialCharacterIndices::VMIN as usize] = u8::from(pause == 0);
    single.control_chars[SpecialCharacterIndices::VTIME as usize] = pause;
    tcsetattr(input, SetArg::TCSANOW, single)?;
    let mut byte = [0];
    let read = nix::unistd::read(input, &mut byte)?;
    Ok((read == 1).then_some(byte[0]))
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
