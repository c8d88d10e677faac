-- The trace of the request that made an event: its id and flags, for the webhooks' requests that follow from it.

alter table events add column trace text;

-- A request that has a trace sets kith.trace for its transaction. So every statement that makes events keeps it, whatever
-- it is part of. After such a transaction a session's setting is empty instead of missing.
alter table events alter column trace set default nullif(current_setting('kith.trace', true), '');
