-- Results of replays under other settings. They can be computed again at any time.
create table if not exists replays (
  snapshot_id varchar(64) not null references snapshots (id) on delete cascade,
  -- What was replayed: device, its size, allocator and settings.
  request     varchar not null,
  -- The version of the allocators that computed the result.
  engine      integer not null,
  result      varchar not null,
  checksum    bigint not null,
  primary key (snapshot_id, request)
);
