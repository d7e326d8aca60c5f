"""The only callers of an actuator (R1); each needs a ticket of the evidence store (R8)."""
