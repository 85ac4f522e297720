-- The highest active bytes of a device in its trace; null: no trace, or stored by an older release.
alter table snapshots add column if not exists peak_bytes bigint;
