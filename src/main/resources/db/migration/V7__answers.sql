-- The cause of the first failure, and what to do about it, in words. They can be computed again at
-- any time, and depend on attached texts, too.
alter table snapshots add column if not exists cause varchar;
alter table snapshots add column if not exists advice varchar;
-- The version of the rules by which they were computed.
alter table snapshots add column if not exists answer_version integer;
