-- The trace of the request that made an event: its id and flags, for the webhooks' requests that follow from it.

alter table events add column trace text;

-- A request that has a trace sets kith.trace for its transaction, so every statement that makes events stores it. After such
-- a transaction the session's setting is empty instead of missing.
alter table events alter column trace set default nullif(current_setting('kith.trace', true), '');
