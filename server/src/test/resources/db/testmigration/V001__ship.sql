CREATE TABLE ship (
  id text PRIMARY KEY,
  launched_at timestamptz
);
