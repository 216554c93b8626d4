"""The settings in deploy/, tried with the programs they are for."""
