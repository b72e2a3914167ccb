-- Whose upload a grant is: it ends when the user can no longer write to the graph (graphs F-3).
ALTER TABLE kernel_file_transfer ADD COLUMN user_id text;
