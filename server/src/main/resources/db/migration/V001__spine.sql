-- Text that comes from outside is text; ids are text in the TypeID form and sort by creation.

CREATE TABLE account (
  id         text PRIMARY KEY,
  tier       text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE app_user (
  id            text PRIMARY KEY,
  account_id    text NOT NULL REFERENCES account,
  email         text NOT NULL,
  name          text NOT NULL,                   -- for people; may be empty
  password_hash text NOT NULL,
  role          text NOT NULL,
  created_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX app_user_email ON app_user (lower(email));
CREATE INDEX app_user_account ON app_user (account_id, id COLLATE "C");

-- A sign-in that has not ended. Backups leave these out: one that was ended must not come back.
CREATE TABLE session (
  id           text PRIMARY KEY,
  user_id      text NOT NULL REFERENCES app_user ON DELETE CASCADE,
  hash         bytea NOT NULL UNIQUE,            -- SHA-256 of the token, which is in the browser alone
  address      text NOT NULL,
  user_agent   text NOT NULL,
  created_at   timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);
CREATE INDEX session_of_user ON session (user_id);

-- Lets whoever has its token become a user, once. Not in backups: one that was used must not come back.
CREATE TABLE invitation (
  id         text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account,
  email      text NOT NULL,
  role       text NOT NULL,
  hash       bytea NOT NULL UNIQUE,              -- SHA-256 of the token
  invited_by text NOT NULL REFERENCES app_user ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX invitation_email ON invitation (account_id, lower(email));
CREATE INDEX invitation_by ON invitation (invited_by);

-- With which browser a user has signed in before: others who guess his password do not keep him out
-- there. Not in backups: after a change of the password it must not come back.
CREATE TABLE known_browser (
  hash         bytea NOT NULL,                   -- SHA-256 of the token, which is in the browser alone
  user_id      text NOT NULL REFERENCES app_user ON DELETE CASCADE,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (hash, user_id)
);
CREATE INDEX known_browser_of_user ON known_browser (user_id);

-- Passwords that were guessed wrong: of a user, from an address, and so on. Not logged, so that whoever
-- guesses many costs little: after a crash it begins anew.
CREATE UNLOGGED TABLE sign_in_failure (
  subject      text PRIMARY KEY,
  forgotten_at timestamptz NOT NULL,             -- when the last of them is; each takes as long
  free_at      timestamptz NOT NULL              -- when the next guess may be made
);
CREATE INDEX sign_in_failure_forgotten ON sign_in_failure (forgotten_at);

-- A key itself is never stored: only its SHA-256 and the few characters by which a person knows it.
CREATE TABLE api_key (
  id           text PRIMARY KEY,
  account_id   text NOT NULL REFERENCES account,
  name         text NOT NULL,
  hint         text NOT NULL,
  hash         bytea NOT NULL UNIQUE,
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
CREATE INDEX api_key_account ON api_key (account_id);

-- Requests to the API in the current minute: of an account, or of an address without a valid key.
-- Not logged, as counting must cost little: after a crash it begins anew.
CREATE UNLOGGED TABLE request_count (
  subject  text PRIMARY KEY,
  minute   bigint NOT NULL,                      -- since the epoch
  requests bigint NOT NULL
) WITH (fillfactor = 50);

-- The first answer to a request with an idempotency key.
CREATE TABLE kept_answer (
  request    bytea PRIMARY KEY,                  -- SHA-256 of account, method, path and key
  answer     bytea NOT NULL,                     -- sealed, with a hash of what was asked
  created_at timestamptz NOT NULL
);
CREATE INDEX kept_answer_created ON kept_answer (created_at);

-- A database of an account: made on a server of the operator's, or connected.
CREATE TABLE database_project (
  id              text PRIMARY KEY,
  account_id      text NOT NULL REFERENCES account,
  type            text NOT NULL,
  origin          text NOT NULL,
  status          text NOT NULL,
  turn            integer NOT NULL DEFAULT 0,    -- grows with whatever is asked for; its job names it
  attempt         integer NOT NULL DEFAULT 0,    -- grows with each start of a job; every write of the job names it
  version         integer NOT NULL DEFAULT 0,    -- grows with each change of what programs get
  server          text,                          -- this and the next three: of one that is made
  name            text,
  login           text,
  password        bytea,                         -- sealed
  link            bytea,                         -- sealed; of a connected one
  import_from     bytea,                         -- sealed; gone once what is there was copied
  restore_from    text,                          -- the backup that is put in its place
  changed_at      timestamptz,                   -- when this turn changed what programs get
  failure_code    text,
  failure_message text,
  created_at      timestamptz NOT NULL,
  dropped_at      timestamptz
);
CREATE INDEX database_project_account ON database_project (account_id, id COLLATE "C");

-- What is, or may be, on a server and belongs to no database project: written before it is made,
-- gone when it is put to use or dropped.
CREATE TABLE database_leftover (
  name        text NOT NULL,
  login       text NOT NULL,                     -- empty: the database with all its logins
  database_id text NOT NULL REFERENCES database_project,
  type        text NOT NULL,
  server      text NOT NULL,
  state       text NOT NULL,
  PRIMARY KEY (name, login)
);
CREATE INDEX database_leftover_database ON database_leftover (database_id);

CREATE TABLE database_backup (
  id              text PRIMARY KEY,
  database_id     text NOT NULL REFERENCES database_project,
  status          text NOT NULL,
  reason          text NOT NULL,
  size_bytes      bigint,
  failure_code    text,
  failure_message text,
  created_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  expires_at      timestamptz NOT NULL
);
CREATE INDEX database_backup_database ON database_backup (database_id, id COLLATE "C");
CREATE INDEX database_backup_expiry ON database_backup (expires_at);

CREATE TABLE project (
  id                 text PRIMARY KEY,
  account_id         text NOT NULL REFERENCES account,
  name               text NOT NULL,
  label              text NOT NULL,              -- in host names; fixed for life
  source             text NOT NULL,
  repo               text,                       -- of a git host; with it a branch
  branch             text,
  upload_id          text,                       -- of archives: the latest one
  region             text NOT NULL,
  instance_type      text NOT NULL,
  instances          integer NOT NULL,           -- copies that take the requests
  auto_deploy        boolean NOT NULL,
  previews           text NOT NULL,
  preview_forks      boolean NOT NULL DEFAULT false, -- whether pull requests from forks get previews too
  sleep_after_ms     bigint,                     -- without a request; null: it always runs
  database_id        text REFERENCES database_project ON DELETE SET NULL, -- what its deployments work with
  framework          text,                       -- this and the next: only where the user decides it
  root_directory     text,
  install_command    text,
  build_command      text,
  start_command      text,
  output_directory   text,
  health_check_path  text,
  env                bytea NOT NULL,             -- sealed
  hook_secret        bytea,                      -- sealed; what its git host signs messages with
  preview_env        bytea,                      -- sealed; the variables of previews of its pull requests
  preview_of         text REFERENCES project,    -- of the row behind a preview, which nobody sees as a project
  live_deployment_id text,
  asleep_deployment_id  text,                    -- asleep where it is the one that serves
  restart_id            text UNIQUE,             -- of the restart that was asked for last
  restart_status        text,
  restart_requested_at  timestamptz,
  restart_completed_at  timestamptz,
  restart_error_code    text,
  restart_error_message text,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  deleted_at         timestamptz                 -- the row stays for as long as its history does
);
CREATE INDEX project_live ON project (live_deployment_id);
CREATE INDEX project_account ON project (account_id, id COLLATE "C")
 WHERE deleted_at IS NULL AND preview_of IS NULL;
CREATE INDEX project_preview ON project (preview_of) WHERE preview_of IS NOT NULL;
CREATE INDEX project_upload ON project (upload_id) WHERE upload_id IS NOT NULL;
CREATE INDEX project_database ON project (database_id) WHERE database_id IS NOT NULL;
CREATE INDEX project_restarting ON project (id) WHERE restart_status = 'RUNNING';
-- A name and a label are free as soon as their project is deleted; a label for its account alone,
-- as long as the row is there.
CREATE UNIQUE INDEX project_name ON project (account_id, name)
 WHERE deleted_at IS NULL AND preview_of IS NULL;
CREATE UNIQUE INDEX project_label ON project (label) WHERE deleted_at IS NULL;
CREATE INDEX project_lapsed_label ON project (label) WHERE deleted_at IS NOT NULL;

-- Host names of the user's own that lead, or shall lead, to a project.
CREATE TABLE domain (
  id          text PRIMARY KEY,
  project_id  text NOT NULL REFERENCES project,
  name        text NOT NULL UNIQUE,              -- lower case, punycode
  status      text NOT NULL,
  problem     text,                              -- what is wrong with its DNS, as a sentence
  wrong_since timestamptz,                       -- null while DNS leads here
  created_at  timestamptz NOT NULL
);
CREATE INDEX domain_project ON domain (project_id, id COLLATE "C");

-- What a domain is served with by HTTPS.
CREATE TABLE certificate (
  domain_id   text PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  origin      text NOT NULL,                     -- UPLOADED by the user or ORDERED
  chain       text NOT NULL,                     -- PEM; the domain's first
  algorithm   text NOT NULL,                     -- of the key
  private_key bytea NOT NULL                     -- sealed; PKCS #8
);

-- Our account at an authority that certificates are ordered from.
CREATE TABLE acme_account (
  directory text PRIMARY KEY,
  location  text,                                -- null until the authority has told it
  key_pair  bytea NOT NULL                       -- sealed
);

-- An order that is under way, or how the last one failed. Gone with success.
CREATE TABLE certificate_order (
  domain_id text PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  location  text,                                -- this and the next: null while none is under way
  key_pair  bytea,                               -- sealed; what the certificate is ordered for
  failures  integer NOT NULL,
  problem   text
);

-- What the edge answers to an authority that asks for a token.
CREATE TABLE acme_challenge (
  token     text PRIMARY KEY,
  domain_id text NOT NULL REFERENCES domain ON DELETE CASCADE,
  answer    text NOT NULL
);
CREATE INDEX acme_challenge_domain ON acme_challenge (domain_id);

-- Who did what. Kept when what it names is gone.
CREATE TABLE audit (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  api_key_id text,                               -- of this and the next one exactly one
  user_id    text,
  actor      text NOT NULL,                      -- for people: the key's name or the user's address, then
  action     text NOT NULL,
  subject    text NOT NULL,
  detail     text NOT NULL DEFAULT '',
  at         timestamptz NOT NULL,
  CHECK (num_nonnulls(api_key_id, user_id) = 1)
);
CREATE INDEX audit_account ON audit (account_id, id);
CREATE INDEX audit_subject ON audit (subject, id);

-- A message of a git host about a project's repository, and what came of it.
CREATE TABLE hook_delivery (
  id            text PRIMARY KEY,
  project_id    text NOT NULL REFERENCES project,
  host_id       text,                            -- the host's name of it
  body_digest   bytea NOT NULL,                  -- SHA-256 of what of it is signed
  event         text NOT NULL,
  outcome       text NOT NULL,
  reason        text NOT NULL,
  deployment_id text,                            -- this and the next: what it asked for, where that is
  preview_id    text,
  branch        text,                            -- this and the next two: where it moved the project's branch
  before_sha    text,
  after_sha     text,
  same_as       text,                            -- the commit that was deployed, where that differs in nothing that counts
  received_at   timestamptz NOT NULL,
  UNIQUE (project_id, host_id),
  UNIQUE (project_id, body_digest)
);
CREATE INDEX hook_delivery_project ON hook_delivery (project_id, id COLLATE "C");
CREATE INDEX hook_delivery_same ON hook_delivery (project_id, after_sha) WHERE same_as IS NOT NULL;
CREATE INDEX hook_delivery_age ON hook_delivery (received_at);
-- What a push asks under the project's lock: where the branch is, and what it has left.
CREATE INDEX hook_delivery_head ON hook_delivery (project_id, branch, id COLLATE "C") WHERE branch IS NOT NULL;
CREATE INDEX hook_delivery_left ON hook_delivery (project_id, branch, before_sha, received_at) WHERE branch IS NOT NULL;

-- An archive that was uploaded; the file itself is on disk.
CREATE TABLE upload (
  id         text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account,
  size_bytes bigint NOT NULL,
  sha256     text NOT NULL,
  name       text NOT NULL,
  created_at timestamptz NOT NULL,
  kept_until timestamptz NOT NULL                -- longer for as long as something needs it
);
CREATE INDEX upload_kept ON upload (kept_until);
CREATE INDEX upload_account ON upload (account_id);

CREATE TABLE release (
  id         text PRIMARY KEY,
  project_id text NOT NULL REFERENCES project,
  framework  text NOT NULL,
  serving    text NOT NULL,                      -- JSON: a program with its commands, or a site
  tools      text[] NOT NULL,                    -- the versions that the program needs: node@22.12.0
  files      integer NOT NULL,
  bytes      bigint NOT NULL,
  build_source text,                             -- digests of what it was made from
  build_env  text,
  created_at timestamptz NOT NULL,
  served_at  timestamptz,                        -- when it last went live; null before the first time
  pruned_at  timestamptz
);
CREATE INDEX release_project ON release (project_id);

CREATE TABLE deployment (
  id                   text PRIMARY KEY,
  account_id           text NOT NULL REFERENCES account,
  project_id           text NOT NULL REFERENCES project,
  log_id               text NOT NULL,
  trigger              text NOT NULL,
  status               text NOT NULL,
  branch               text,                     -- of a git host
  requested_sha        text,
  upload_id            text,                     -- of an archive, which may be gone when the release is
  commit_sha           text,
  commit_message       text,
  rebuild              boolean NOT NULL DEFAULT false, -- whether no kept release will do
  framework            text,
  region               text NOT NULL,
  instance_type        text NOT NULL,
  preview_label        text NOT NULL UNIQUE,
  env                  bytea NOT NULL,           -- sealed; the whole snapshot of this deployment
  database_id          text REFERENCES database_project ON DELETE SET NULL, -- whose variables it gets, as they are at that moment
  built_with           text,                     -- stands for those that the latest build was given
  release_id           text REFERENCES release DEFERRABLE INITIALLY DEFERRED,
  source_deployment_id text NOT NULL,            -- the deployment that built the release
  rollback_to          text,                     -- only of a rollback
  attempt              integer NOT NULL DEFAULT 0, -- grows with each start of a job; every write of the job names it
  created_at           timestamptz NOT NULL,
  building_at          timestamptz,
  built_at             timestamptz,
  live_at              timestamptz,
  ended_at             timestamptz,              -- failed or rolled back
  error_code           text,
  error_message        text
);
-- Ids are compared by their bytes, whatever the store's language. That the primary keys are not is
-- of use: the planner cannot walk one of them in search of the few rows of an account or a project.
-- Those of previews are in no list of an account.
CREATE INDEX deployment_account ON deployment (account_id, id COLLATE "C")
 WHERE trigger <> 'PULL_REQUEST';
CREATE INDEX deployment_account_status ON deployment (account_id, status, id COLLATE "C")
 WHERE trigger <> 'PULL_REQUEST';
CREATE INDEX deployment_project ON deployment (project_id, id COLLATE "C");
CREATE INDEX deployment_project_status ON deployment (project_id, status, id COLLATE "C");
CREATE INDEX deployment_release ON deployment (release_id);
CREATE INDEX deployment_database ON deployment (database_id, status) WHERE database_id IS NOT NULL;
CREATE INDEX deployment_upload ON deployment (upload_id) WHERE upload_id IS NOT NULL;

-- The timeline of a deployment.
CREATE TABLE deployment_step (
  deployment_id text NOT NULL REFERENCES deployment,
  attempt       integer NOT NULL,
  name          text NOT NULL,
  started_at    timestamptz NOT NULL,
  ended_at      timestamptz,
  outcome       text,                            -- succeeded, failed; null while it runs or when it was cut off
  PRIMARY KEY (deployment_id, attempt, name)
);

-- What a pull request looks like when it is deployed, at an address of its own.
CREATE TABLE preview (
  id             text PRIMARY KEY,
  project_id     text NOT NULL REFERENCES project, -- whose pull request it is
  own_project_id text UNIQUE REFERENCES project ON DELETE SET NULL, -- the row behind it; null once purged
  number         integer NOT NULL,
  title          text NOT NULL,
  author         text NOT NULL,
  repo           text NOT NULL,                  -- of the head, with the next two
  branch         text NOT NULL,
  commit_sha     text NOT NULL,
  base_branch    text NOT NULL,
  fork           boolean NOT NULL,
  web_url        text NOT NULL,
  comment_id     text,                           -- the host's, of the comment that tells of it
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  removed_at     timestamptz                     -- the row stays for a while, so that it can be read
);
CREATE UNIQUE INDEX preview_open ON preview (project_id, number) WHERE removed_at IS NULL;
CREATE INDEX preview_project ON preview (project_id, id COLLATE "C");
CREATE INDEX preview_removed ON preview (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE migration (
  id            text PRIMARY KEY,
  account_id    text NOT NULL REFERENCES account,
  project_id    text NOT NULL REFERENCES project,
  log_id        text NOT NULL,
  database_id   text REFERENCES database_project ON DELETE SET NULL, -- what it asked for
  deployment_id text REFERENCES deployment,      -- null while it waits for a slot of the account's tier
  status        text NOT NULL,
  created_at    timestamptz NOT NULL,
  completed_at  timestamptz,
  error_code    text,
  error_message text
);
CREATE INDEX migration_account ON migration (account_id, id COLLATE "C");
CREATE INDEX migration_account_status ON migration (account_id, status, id COLLATE "C");
CREATE UNIQUE INDEX migration_deployment ON migration (deployment_id);
CREATE INDEX migration_project ON migration (project_id);
CREATE INDEX migration_database ON migration (database_id) WHERE database_id IS NOT NULL;

-- One row is one running copy of a deployment's release. It is written before the copy is started
-- and deleted after it has ended; the port is leased by it.
CREATE TABLE instance (
  id            text PRIMARY KEY,
  deployment_id text NOT NULL REFERENCES deployment,
  worker        text NOT NULL,                   -- the server process whose host it runs on
  port          integer NOT NULL,
  state         text NOT NULL,
  created_at    timestamptz NOT NULL,
  variables     text NOT NULL DEFAULT '',        -- stands for those of a database that it was started with
  UNIQUE (worker, port)
);
CREATE INDEX instance_deployment ON instance (deployment_id);

-- An edge that is a process of its own.
CREATE TABLE edge (
  id   text PRIMARY KEY,
  beat bigint NOT NULL                           -- grows for as long as it is there
);

-- An instance that no route leads to any more: every edge is asked to let go of it.
CREATE TABLE edge_drain (
  instance_id text PRIMARY KEY REFERENCES instance ON DELETE CASCADE,
  limit_ms    bigint NOT NULL                    -- of each edge, from when it is told
);
CREATE TABLE edge_drained (
  edge_id     text NOT NULL REFERENCES edge ON DELETE CASCADE,
  instance_id text NOT NULL REFERENCES edge_drain ON DELETE CASCADE,
  in_full     boolean NOT NULL,                  -- or what was left has been ended
  PRIMARY KEY (edge_id, instance_id)
);
CREATE INDEX edge_drained_instance ON edge_drained (instance_id);

-- A deployment whose program crashes again and again.
CREATE TABLE crashing (
  deployment_id  text PRIMARY KEY REFERENCES deployment,
  crashed        text NOT NULL,                  -- stands for the instances that are gone
  crashing_since timestamptz NOT NULL,
  crash_code     text NOT NULL,
  crash_message  text NOT NULL,
  last_lines     text NOT NULL                   -- that it printed, masked
);

-- One row: grows in every transaction that changes what any host name leads to.
CREATE TABLE route_version (version bigint NOT NULL);
INSERT INTO route_version VALUES (1);

-- What each edge's process counted of the requests of a project, for each minute and each hour. No
-- reference to the project: an edge may report what it counted of one that is gone.
CREATE TABLE traffic (
  project_id     text NOT NULL,
  seconds        int NOT NULL,                   -- 60 or 3600
  at             timestamptz NOT NULL,           -- its beginning
  edge           text NOT NULL,                  -- a process, not a machine
  statuses       bigint[] NOT NULL,              -- by the first digit
  aborted        bigint NOT NULL,
  received_bytes bigint NOT NULL,
  sent_bytes     bigint NOT NULL,
  answer_nanos   bigint NOT NULL,                -- until the answers began, all together
  latencies      bigint[] NOT NULL,              -- the same by ranges, see metric.Latencies
  most_in_flight bigint NOT NULL,
  PRIMARY KEY (project_id, seconds, at, edge)
);
CREATE INDEX traffic_by_age ON traffic (seconds, at);

-- What the instances of a project took, for each minute and each hour, as each worker saw it.
CREATE TABLE instance_use (
  project_id   text NOT NULL,
  seconds      int NOT NULL,                     -- 60 or 3600
  at           timestamptz NOT NULL,             -- its beginning
  worker       text NOT NULL,
  instances    int NOT NULL,                     -- the most that ran at one moment
  cpu_nanos    bigint NOT NULL,
  memory_bytes bigint NOT NULL,                  -- the most at one moment, of all of them together
  PRIMARY KEY (project_id, seconds, at, worker)
);
CREATE INDEX instance_use_by_age ON instance_use (seconds, at);

-- What happened, written in the transaction in which it did. Whoever follows reads by place.
CREATE TABLE event (
  id          text PRIMARY KEY,
  account_id  text NOT NULL,
  project_id  text NOT NULL,
  type        text NOT NULL,
  resource    text NOT NULL,                     -- the id of what it happened to
  sequence    bigint NOT NULL,                   -- counts the events of the resource
  body        text NOT NULL,                     -- JSON as it is sent
  written     bigint GENERATED ALWAYS AS IDENTITY,
  place       bigint UNIQUE,                     -- null until the commit has been seen
  at          timestamptz NOT NULL
);
CREATE INDEX event_unplaced ON event (written) WHERE place IS NULL;
CREATE INDEX event_account ON event (account_id, place);
CREATE INDEX event_project ON event (project_id, place);
CREATE INDEX event_age ON event (at);

-- Events are deleted after their time, their numbers go on.
CREATE TABLE event_sequence (
  resource   text PRIMARY KEY,
  project_id text NOT NULL,
  last       bigint NOT NULL
);
CREATE INDEX event_sequence_project ON event_sequence (project_id);

-- One row: the last place that was given. Whoever gives places holds it.
CREATE TABLE event_place (last bigint NOT NULL);
INSERT INTO event_place VALUES (0);

-- Where an account's events are sent to.
CREATE TABLE webhook (
  id              text PRIMARY KEY,
  account_id      text NOT NULL REFERENCES account,
  url             text NOT NULL,
  events          text[] NOT NULL,               -- types; none means all
  enabled         boolean NOT NULL,
  disabled_reason text,                          -- where it was not its owner who disabled it
  secret          bytea NOT NULL,                -- sealed
  former_secret   bytea,                         -- sealed; signs as well until its end
  former_until    timestamptz,
  period          integer NOT NULL DEFAULT 0,    -- how often it was disabled
  taken_at        timestamptz,                   -- when it took something last
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  deleted_at      timestamptz                    -- the row stays until its deliveries are gone; not enabled then
);
CREATE INDEX webhook_account ON webhook (account_id, id COLLATE "C");

-- What is sent of an event, once however many endpoints get it. No delivery refers to it by a key: that
-- would ask for one more index of the deliveries.
CREATE TABLE webhook_message (
  event_id text PRIMARY KEY,
  body     text NOT NULL,
  used_at  timestamptz NOT NULL                  -- no delivery of it was made later
);
CREATE INDEX webhook_message_age ON webhook_message USING brin (used_at);

-- One event for one endpoint. Whoever writes rows of an endpoint holds the row of that, save who takes
-- one to send it.
CREATE TABLE webhook_delivery (
  id            text PRIMARY KEY,
  webhook_id    text NOT NULL REFERENCES webhook ON DELETE CASCADE,
  event_id      text NOT NULL,
  event_type    text NOT NULL,
  resource      text NOT NULL,
  period        integer NOT NULL DEFAULT 0,      -- of its endpoint when it was made; in a later one it is not sent
  turn          bigint,                          -- among the resource's; null where it is sent out of turn
  status        text NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  due_at        timestamptz,                     -- null until its turn has come, and when it has ended
  worker        text,                            -- is sending it; then due_at is when another may
  error         text,                            -- why it failed
  created_at    timestamptz NOT NULL,
  completed_at  timestamptz
);
-- None by status: statistics made when nothing waits would have it used to find what does.
CREATE INDEX webhook_delivery_list ON webhook_delivery (webhook_id, id COLLATE "C");
CREATE INDEX webhook_delivery_failed ON webhook_delivery (webhook_id, id COLLATE "C") WHERE status = 'FAILED';
-- Named by this condition alone in statements that want it: the others name the status.
CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_id, id COLLATE "C") WHERE completed_at IS NULL;
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, period, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_turn ON webhook_delivery (webhook_id, period, resource, turn)
  WHERE status = 'PENDING' AND attempt_count = 0 AND turn IS NOT NULL;
CREATE INDEX webhook_delivery_age ON webhook_delivery USING brin (created_at);

-- One request and what it was answered with.
CREATE TABLE webhook_attempt (
  delivery_id     text NOT NULL REFERENCES webhook_delivery ON DELETE CASCADE,
  number          integer NOT NULL,
  at              timestamptz NOT NULL,
  duration_ms     bigint NOT NULL,
  request_headers text NOT NULL,                 -- JSON
  status          integer,                       -- this and the next two: of an answer
  headers         text,                          -- JSON
  body            text,                          -- its beginning
  error           text,
  PRIMARY KEY (delivery_id, number)
);

CREATE TABLE run_log (
  id       text PRIMARY KEY,
  last_seq bigint NOT NULL DEFAULT 0,
  last_at  timestamptz,
  closed   boolean NOT NULL DEFAULT false,
  bytes    bigint NOT NULL DEFAULT 0,            -- of the entries that are kept
  head_seq bigint,                               -- the last of the first entries, which always stay; null until they are complete
  cut_seq  bigint                                -- the last entry that was left out; null while none was
);
CREATE TABLE run_log_entry (
  log_id  text NOT NULL,
  seq     bigint NOT NULL,
  at      timestamptz NOT NULL,
  level   text NOT NULL,
  message text NOT NULL,
  PRIMARY KEY (log_id, seq)
);

-- The queues of durable jobs, in the shape that db-scheduler asks for: builds wait for one of few
-- slots; what somebody waits for starts at once; chores follow.
CREATE TABLE scheduled_tasks (
  task_name            text NOT NULL,
  task_instance        text NOT NULL,
  task_data            bytea,
  execution_time       timestamptz NOT NULL,
  picked               boolean NOT NULL,
  picked_by            text,
  last_success         timestamptz,
  last_failure         timestamptz,
  consecutive_failures integer,
  last_heartbeat       timestamptz,
  version              bigint NOT NULL,
  priority             smallint,
  PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX scheduled_tasks_execution_time ON scheduled_tasks (execution_time);
CREATE INDEX scheduled_tasks_last_heartbeat ON scheduled_tasks (last_heartbeat);
CREATE TABLE build_tasks (LIKE scheduled_tasks INCLUDING ALL);
CREATE TABLE chore_tasks (LIKE scheduled_tasks INCLUDING ALL);
CREATE TABLE name_tasks (LIKE scheduled_tasks INCLUDING ALL);
CREATE TABLE certificate_tasks (LIKE scheduled_tasks INCLUDING ALL);
CREATE TABLE report_tasks (LIKE scheduled_tasks INCLUDING ALL);
CREATE TABLE database_tasks (LIKE scheduled_tasks INCLUDING ALL);
