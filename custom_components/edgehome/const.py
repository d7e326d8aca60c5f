"""Names that more than one module needs."""

from typing import Final

DOMAIN: Final = "edgehome"

CONF_PRESET: Final = "preset"
CONF_AUTOMATIONS: Final = "automations"
CONF_FLAGS: Final = "flags"
CONF_APPROVALS: Final = "approvals"
CONF_SECONDS: Final = "seconds"
CONF_ESCALATE_AFTER: Final = "escalate_after"
CONF_TWO_PEOPLE: Final = "two_people"

SUBENTRY_AGENT: Final = "agent"
SUBENTRY_APPROVER: Final = "approver"
CONF_NAME: Final = "name"
CONF_DAYS: Final = "days"
CONF_ENABLED: Final = "enabled"
CONF_EXPIRES_AT: Final = "expires_at"
CONF_USER_ID: Final = "user_id"
CONF_ORDER: Final = "order"
CONF_PHONES: Final = "phones"
CONF_PAGE_SUFFICES: Final = "page_suffices"
CONF_FORGET_PIN: Final = "forget_pin"
CONF_MAX_RISK: Final = "max_risk"
CONF_AREAS: Final = "areas"
CONF_LOCAL_ONLY: Final = "local_only"
CONF_REQUESTS_PER_MINUTE: Final = "requests_per_minute"

EVIDENCE_FILE: Final = "evidence.db"
