-- A snapshot's facts, as a list shows them. Its row is written in the same transaction as all that
-- belongs to it, so a row that can be seen is whole.
create table snapshots (
  id              varchar(64) primary key,
  sha256          varchar(64) not null unique,
  name            varchar not null,
  uploaded        timestamp with time zone not null,
  original_bytes  bigint not null,
  stored_bytes    bigint not null,
  format          varchar not null,
  producer        varchar not null,
  device_count    integer not null,
  event_count     bigint not null,
  segment_count   bigint not null,
  block_count     bigint not null,
  reserved_bytes  bigint not null,
  allocated_bytes bigint not null,
  oom_count       integer not null,
  finding_count   integer not null,
  job             varchar,
  rank            varchar,
  host            varchar,
  step            bigint,
  -- Name and tags in lower case, for the search field.
  search          varchar not null
);
create index snapshots_by_age on snapshots (uploaded desc, id);
create index snapshots_by_job on snapshots (job, rank);
create index snapshots_by_rank on snapshots (rank);
create index snapshots_by_host on snapshots (host);
create index snapshots_by_step on snapshots (step);

create table labels (
  snapshot_id varchar(64) not null references snapshots (id) on delete cascade,
  position    integer not null,
  label       varchar not null,
  primary key (snapshot_id, position)
);
create index labels_by_label on labels (label, snapshot_id);

create table devices (
  snapshot_id     varchar(64) not null references snapshots (id) on delete cascade,
  ordinal         integer not null,
  event_count     bigint not null,
  segment_count   bigint not null,
  block_count     bigint not null,
  reserved_bytes  bigint not null,
  allocated_bytes bigint not null,
  primary key (snapshot_id, ordinal)
);

create table oom_events (
  snapshot_id       varchar(64) not null references snapshots (id) on delete cascade,
  device            integer not null,
  event             integer not null,
  requested_bytes   bigint not null,
  device_free_bytes bigint, -- null: not recorded
  primary key (snapshot_id, device, event)
);

create table findings (
  snapshot_id varchar(64) not null references snapshots (id) on delete cascade,
  position    integer not null,
  severity    varchar(16) not null,
  code        varchar not null,
  message     varchar not null,
  occurrences bigint not null,
  primary key (snapshot_id, position)
);
create index findings_by_code on findings (code, snapshot_id);

-- The model's columns. BLOB, never VARBINARY: with the latter the file grows five times as fast.
create table column_blobs (
  snapshot_id varchar(64) not null references snapshots (id) on delete cascade,
  part        integer not null,
  device      integer not null,
  chunk       integer not null,
  data        blob not null,
  primary key (snapshot_id, part, device, chunk)
);

-- The upload as it came, zstd-compressed.
create table originals (
  snapshot_id varchar(64) primary key references snapshots (id) on delete cascade,
  data        blob not null
);
