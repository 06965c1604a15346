"""What each command does, one a file. `run(visit)` gives the exit code."""
