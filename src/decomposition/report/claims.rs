//! Claims that were checked anew, in words.

use std::fmt::Write;

use crate::decomposition::certify::{Certificate, CertificateVerdict, DecompositionClaim};

/// The name of a claim: `part1`, `use of part1`, `by itself 1`.
pub(super) fn name(claim: DecompositionClaim) -> String {
    match claim {
        DecompositionClaim::Variables => "variables".to_owned(),
        DecompositionClaim::Phases => "phases".to_owned(),
        DecompositionClaim::Constant => "constant".to_owned(),
        DecompositionClaim::Autonomous(group) => format!("by itself {}", group + 1),
        DecompositionClaim::Independent(part) => format!("part{}", part + 1),
        DecompositionClaim::UselessPart(part) => format!("use of part{}", part + 1),
        DecompositionClaim::UselessAutonomous(group) => format!("use of by itself {}", group + 1),
        DecompositionClaim::Moves => "moves".to_owned(),
        DecompositionClaim::Outcome => "end and goal values".to_owned(),
    }
}

/// `holds`, `fails`, `open`.
pub(super) fn verdict(verdict: CertificateVerdict) -> &'static str {
    match verdict {
        CertificateVerdict::Holds => "holds",
        CertificateVerdict::Fails => "fails",
        CertificateVerdict::Open => "open",
    }
}

/// A line a claim: whether it holds, what it stands on, and what it took.
pub fn certificates(certificates: &[Certificate]) -> String {
    let mut text = "\nChecked anew:\n".to_owned();
    for certificate in certificates {
        let premises = certificate.premises.iter();
        let premises: Vec<String> = premises.map(|&premise| name(premise)).collect();
        let on = if premises.is_empty() {
            String::new()
        } else {
            format!(", if so {}", premises.join(", "))
        };
        let _ = writeln!(
            text,
            "  {}: {}{on} ({} questions)",
            name(certificate.claim),
            verdict(certificate.verdict),
            certificate.questions
        );
    }
    let holding = certificates.iter();
    let holding = holding.filter(|certificate| certificate.verdict == CertificateVerdict::Holds);
    let questions: usize = (certificates.iter().map(|certificate| certificate.questions)).sum();
    let _ = writeln!(
        text,
        "{} of {} claims hold, by {questions} questions to a new solver.",
        holding.count(),
        certificates.len()
    );
    text
}
