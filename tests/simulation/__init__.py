"""The whole server in one process and one thread, under a simulated clock and simulated mail, driven by one seed.

    python -m tests.simulation --seed 1901 --trace

`schedule` makes a list of events from a seed and plays it, `runs` many seeds, and `trace` tells what happened; `world`
is everything around the server, `machine` the server's process; `network` its mail, in and out; `actors` are the people
who write; `faults` is what goes wrong, and `invariants` what must be true after every event whatever does, and
`fairness` what play promises; `twins` plays two worlds that differ in a secret, and `sabotage` puts faults into gm that
must be found. A shortened list of the same events plays the same way, so that a run that fails can be cut down to the
few events that matter.
"""
