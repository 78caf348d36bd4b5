ALTER TABLE ship ADD COLUMN name text NOT NULL DEFAULT 'unnamed';
