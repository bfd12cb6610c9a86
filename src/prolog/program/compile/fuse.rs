//! Pairs of instructions that are common become one: a dispatch costs as much as what most instructions do.
//!
//! ```text
//! PutValueY(1, 0) PutValueY(2, 1) PutValueY(3, 2) Deallocate Execute(p)
//!     ->  PutValuesY(1, 0, 2, 1) PutValueY(3, 2) DeallocateExecute(p)
//! ```
//!
//! Which pairs are common was counted on the programs that SWI-Prolog is measured by. A pair whose second instruction
//! something jumps to stays.

use crate::prolog::program::instruction::{BACKTRACK, Instruction, Pc};

/// The code of a clause with pairs fused. Addresses are relative to its start, plus one.
pub(super) fn fuse(mut code: Vec<Instruction>) -> Vec<Instruction> {
    let mut is_target = vec![false; code.len() + 1];
    for instruction in &mut code {
        if let Some(&mut target) = instruction.target_mut()
            && target != BACKTRACK
        {
            is_target[target as usize - 1] = true;
        }
    }
    // Where the instruction of each old address is now.
    let mut moved: Vec<Pc> = Vec::with_capacity(code.len() + 1);
    let mut fused: Vec<Instruction> = Vec::with_capacity(code.len());
    for (position, &instruction) in code.iter().enumerate() {
        let pair = fused.last().and_then(|&last| fused_pair(last, instruction));
        match (pair, fused.last_mut()) {
            (Some(pair), Some(last)) if !is_target[position] => *last = pair,
            _ => fused.push(instruction),
        }
        moved.push(fused.len() as Pc);
    }
    moved.push(fused.len() as Pc + 1);
    for instruction in &mut fused {
        if let Some(target) = instruction.target_mut()
            && *target != BACKTRACK
        {
            *target = moved[*target as usize - 1];
        }
    }
    fused
}

/// The one instruction that does what two do, if there is one.
fn fused_pair(first: Instruction, second: Instruction) -> Option<Instruction> {
    use Instruction::{
        Deallocate, DeallocateExecute, DeallocateProceed, Execute, GetVariableY, GetVariablesY,
        Move, Moves, Proceed, PutValueY, PutValuesY, UnifyVariableX, UnifyVariablesX,
    };
    Some(match (first, second) {
        (PutValueY(y, x), PutValueY(other_y, other_x)) => PutValuesY(y, x, other_y, other_x),
        (GetVariableY(y, x), GetVariableY(other_y, other_x)) => {
            GetVariablesY(y, x, other_y, other_x)
        }
        (Move(to, from), Move(other_to, other_from)) => Moves(to, from, other_to, other_from),
        (UnifyVariableX(x), UnifyVariableX(other)) => UnifyVariablesX(x, other),
        (Deallocate, Execute(predicate)) => DeallocateExecute(predicate),
        (Deallocate, Proceed) => DeallocateProceed,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code as it is written in messages of failed tests.
    fn fused(code: &[Instruction]) -> String {
        format!("{:?}", fuse(code.to_vec()))
    }

    #[test]
    fn addresses_follow_their_instructions() {
        use Instruction::{Deallocate, Jump, Move, Proceed, Try};
        let code = [
            Try(4, false),
            Move(1, 0),
            Move(2, 1),
            Move(3, 2),
            Move(4, 3),
            Jump(7),
        ];
        // The third move is jumped to: it stays the first of a pair. The jump leads behind the last instruction.
        let expected = "[Try(3, false), Moves(1, 0, 2, 1), Moves(3, 2, 4, 3), Jump(5)]";
        assert_eq!(fused(&code), expected);
        let code = [Try(3, false), Deallocate, Proceed];
        assert_eq!(fused(&code), "[Try(3, false), Deallocate, Proceed]");
    }
}
