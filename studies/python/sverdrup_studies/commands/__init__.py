"""The subcommands of studies/study, as those of sverdrup.commands are made."""
