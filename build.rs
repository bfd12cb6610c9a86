//! Generates the parsers of `grammar/` into `OUT_DIR`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=grammar");
    let out_dir = std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(out_dir)
        .emit_rerun_directives(true)
        .process()?;
    Ok(())
}
