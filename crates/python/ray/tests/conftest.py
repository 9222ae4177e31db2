"""A cluster of two nodes on this machine, which notices within two seconds that one has gone."""

import os

# Read when Ray is imported and when nodes begin: without them it takes sixteen seconds.
os.environ |= {
    "RAY_health_check_initial_delay_ms": "500",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "3000",
    "RAY_health_check_failure_threshold": "3",
}
