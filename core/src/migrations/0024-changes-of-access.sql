-- Streams of changes have a limit of their own beside the streams of runs (platform V-9, ai-surface M-20f).
ALTER TABLE kernel_stream_slot ADD COLUMN purpose text NOT NULL DEFAULT 'operation';

-- Tells streams of changes in all processes whose rights to check again. Triggers, so that no writer can forget it. The
-- argument is the column with what streams watch: a user, a graph or a session.
CREATE FUNCTION kernel_note_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('pacioli_change', concat(to_jsonb(COALESCE(NEW, OLD)) ->> TG_ARGV[0], ' access'));
  RETURN NULL;
END $$;

CREATE TRIGGER kernel_graph_user_noted AFTER INSERT OR UPDATE OR DELETE ON kernel_graph_user FOR EACH ROW
  EXECUTE FUNCTION kernel_note_access('user_id');
CREATE TRIGGER kernel_org_user_noted AFTER INSERT OR UPDATE OR DELETE ON kernel_org_user FOR EACH ROW
  EXECUTE FUNCTION kernel_note_access('user_id');
CREATE TRIGGER kernel_graph_noted AFTER UPDATE ON kernel_graph FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.extensions <> NEW.extensions OR OLD.tier <> NEW.tier)
  EXECUTE FUNCTION kernel_note_access('graph_id');
CREATE TRIGGER kernel_graph_removal_noted AFTER DELETE ON kernel_graph FOR EACH ROW
  EXECUTE FUNCTION kernel_note_access('graph_id');
CREATE TRIGGER kernel_user_noted AFTER UPDATE ON kernel_user FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active OR OLD.session_version <> NEW.session_version)
  EXECUTE FUNCTION kernel_note_access('id');
CREATE TRIGGER kernel_api_key_noted AFTER UPDATE ON kernel_api_key FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active)
  EXECUTE FUNCTION kernel_note_access('user_id');
CREATE TRIGGER kernel_oauth_grant_noted AFTER UPDATE ON kernel_oauth_grant FOR EACH ROW
  WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at)
  EXECUTE FUNCTION kernel_note_access('user_id');
CREATE TRIGGER kernel_revoked_session_noted AFTER INSERT OR UPDATE ON kernel_revoked_session FOR EACH ROW
  EXECUTE FUNCTION kernel_note_access('jti');
