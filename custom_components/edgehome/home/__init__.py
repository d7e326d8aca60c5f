"""The house as facts: Home Assistant's registries, states and services, read and never acted on."""
