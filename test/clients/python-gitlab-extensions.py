"""The calls of python-gitlab for the routes beyond the specification: each as a permitted user, and as one who is refused.

Prints one line of JSON with the routes and the failures. The test looks the routes up in the journal.
"""

import base64
import itertools
import json
import os
import re
import sys
import traceback

import gitlab
from gitlab.v4.objects import CurrentUser, CurrentUserManager, GroupEpic, GroupExport, ProjectExport, ProjectSecureFile
from gitlab.v4.objects.award_emojis import GroupEpicAwardEmojiManager

url, alice_token, root_token, mallory_token, node, repository, linked_user = sys.argv[1:8]


def client(token):
    return gitlab.Gitlab(url, private_token=token)


owner = client(alice_token)
admin = client(root_token)
outsider = client(mallory_token)
nobody = client("invalid")
numbers = itertools.count(1)
failures = []


def unique(word):
    return f"{word}-{next(numbers)}"


web = owner.projects.get("acme/web")
acme = owner.groups.get("acme")
head = web.branches.get("main").commit["id"]
web.branches.create({"branch": "ci", "ref": "main"})
pipeline_file = "build: { script: make, rules: [{ when: always }] }"
web.files.create({"file_path": ".gitlab-ci.yml", "branch": "ci", "content": pipeline_file, "commit_message": "Build"})
ci_request = web.mergerequests.create({"source_branch": "ci", "target_branch": "main", "title": "CI"}).iid
# The host has recorded them: the API cannot report results of jobs.
pipelines = [found.id for found in web.pipelines.list(get_all=False)]
jobs = {found.name: found.id for found in web.jobs.list(get_all=False)}


def project(api, path="acme/web"):
    """A project that is not requested: the first request of a refused user is the call itself."""
    return api.projects.get(path, lazy=True)


def group(api, path="acme"):
    return api.groups.get(path, lazy=True)


def issue(api, iid=1):
    return project(api).issues.get(iid, lazy=True)


def merge_request(api, iid=1):
    return project(api).mergerequests.get(iid, lazy=True)


def pipeline(api):
    return project(api).pipelines.get(pipelines[0], lazy=True)


def job(api, name="build"):
    return project(api).jobs.get(jobs[name], lazy=True)


def new_account():
    name = unique("user")
    email = f"{name}@example.com"
    return {"username": name, "name": name, "email": email, "force_random_password": True, "skip_confirmation": True}


def new_user():
    return admin.users.create(new_account()).id


def new_project():
    return owner.projects.create({"name": unique("project"), "namespace_id": acme.id, "visibility": "private"}).id


def new_group():
    path = unique("group")
    return owner.groups.create({"name": path, "path": path, "parent_id": acme.id, "visibility": "private"}).id


def new_branch():
    return web.branches.create({"branch": unique("branch"), "ref": "main"}).name


new_application = {"name": "Board", "redirect_uri": "https://board.example.com/callback", "scopes": "openid"}
hook_url = "https://93.184.216.34/hook"


def new_hook(parent):
    return parent.hooks.create({"url": hook_url}).id


def new_access_token(parent):
    return parent.access_tokens.create(new_token).id


new_deploy_token = {"name": "cluster", "scopes": ["read_repository"]}


def deploy_token(parent):
    return parent.deploytokens.create(new_deploy_token).id


def new_variable():
    return {"key": re.sub(r"\W", "_", unique("KEY")), "value": "x"}


def variable(parent):
    return parent.variables.create(new_variable()).key


def trigger():
    return web.triggers.create({"description": "Build"}).id


def trigger_pipeline(api):
    # The token alone decides; the refused user cannot create one.
    try:
        token = project(api).triggers.create({"description": "Build"}).token
    except gitlab.GitlabError:
        token = "unknown"
    return project(api).trigger_pipeline("ci", token, variables={"A": "x"})


new_schedule_data = {"description": "Nightly", "ref": "ci", "cron": "0 1 * * *"}


def schedule(api=None):
    # A project has at most ten schedules.
    for found in web.pipelineschedules.list():
        found.delete()
    created = web.pipelineschedules.create(new_schedule_data)
    created.variables.create({"key": "KEY", "value": "x"})
    return project(api).pipelineschedules.get(created.id, lazy=True) if api else created.id


def new_tag():
    return web.tags.create({"tag_name": unique("tag"), "ref": "main"}).name


def new_changes(branch):
    action = {"action": "create", "file_path": unique("file"), "content": "x"}
    return {"branch": branch, "commit_message": "Add a file", "actions": [action]}


def new_commit(branch):
    return web.commits.create(new_changes(branch))


def new_content():
    return {"branch": new_branch(), "content": "New", "commit_message": "Change a file"}


def commit(api, sha=None):
    return project(api).commits.get(sha or head, lazy=True)


def new_merge_request_data():
    branch = new_branch()
    new_commit(branch)
    return {"source_branch": branch, "target_branch": "main", "title": "Add a file"}


def new_merge_request():
    return web.mergerequests.create(new_merge_request_data()).iid


def new_issue():
    return web.issues.create({"title": unique("issue")}).iid


def new_snippet():
    return web.snippets.create({"title": "Notes", "file_name": "a", "content": "x", "visibility": "private"}).id


def snippet(api, id=None):
    return project(api).snippets.get(id or new_snippet(), lazy=True)


def new_release_data():
    return {"tag_name": unique("v"), "ref": "main", "description": "New"}


def new_release():
    return web.releases.create(new_release_data()).tag_name


def links(api, tag):
    return project(api).releases.get(tag, lazy=True).links


def new_package_file():
    return project(owner).generic_packages.upload(unique("package"), "1.0.0", "notes.txt", path=__file__)


def download_package(api):
    file = new_package_file()
    return project(api).generic_packages.download(file.package_name, file.package_version, file.file_name)


def private_label(api):
    group_id = new_group()
    label = group(owner, group_id).labels.create({"name": unique("label"), "color": "#ff0000"})
    return group(api, group_id).labels.get(label.id, lazy=True)


def subscribed_label(api):
    label = private_label(owner)
    label.subscribe()
    return group(api, label.group_id).labels.get(label.id, lazy=True)


def with_package_file(call):
    file = new_package_file()
    package = web.packages.list(package_name=file.package_name)[0]
    return call(package, package.package_files.list()[0].id)


def with_link(api, call):
    tag = new_release()
    call(links(api, tag), links(owner, tag).create(site).id)


def new_deployment_data():
    environment = web.environments.create({"name": unique("stage")}).name
    return {"environment": environment, "sha": head, "ref": "main", "tag": False, "status": "running"}


def new_deployment():
    return web.deployments.create(new_deployment_data()).id


def new_key():
    """An Ed25519 public key; its 32 bytes are a number."""
    point = next(numbers).to_bytes(32, "big")
    kind = b"ssh-ed25519"
    blob = len(kind).to_bytes(4, "big") + kind + len(point).to_bytes(4, "big") + point
    return f"ssh-ed25519 {base64.b64encode(blob).decode()} key"


def new_public_key():
    return {"title": "Server", "key": new_key()}


def new_gpg_key():
    """An armored public key (RFC 9580): a packet with a random Ed25519 point, and a user id."""
    curve = bytes.fromhex("2b06010401da470f01")
    body = bytes([4, 0x6A, 0, 0, 0, 22, len(curve)]) + curve + bytes([1, 7, 0x40]) + os.urandom(32)
    data = bytes([0xC6, len(body)]) + body + bytes([0xCD, 3]) + b"Bob"
    text = base64.b64encode(data).decode()
    return {"key": f"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{text}\n-----END PGP PUBLIC KEY BLOCK-----"}


def new_deploy_key():
    return web.keys.create(new_public_key()).id


def new_label():
    return acme.labels.create({"name": unique("label"), "color": "#ff0000"}).name


def new_epic():
    return acme.epics.create({"title": "Rewrite"}).iid


def epic(api, iid):
    return group(api).epics.get(iid, lazy=True)


labelled_epic = acme.epics.create({"title": "Rewrite", "labels": ["big"]}).id


def epic_events(api):
    return GroupEpic(group(api).epics, {"id": labelled_epic}).resourcelabelevents


def epic_awards(api, iid):
    return GroupEpicAwardEmojiManager(api, epic(api, iid))


def with_epic_award(api, call):
    iid = new_epic()
    return call(epic_awards(api, iid), epic_awards(owner, iid).create({"name": "heart"}).id)


def epic_issues(api, iid):
    return epic(api, iid).issues


def new_issue_id():
    return web.issues.create({"title": unique("issue")}).id


def with_epic_issue(api, call):
    iid = new_epic()
    first, second = (epic_issues(owner, iid).create({"issue_id": new_issue_id()}).id for _ in range(2))
    return call(epic_issues(api, iid), second, first)


def new_milestone(parent=web):
    return parent.milestones.create({"title": unique("milestone")}).id


def shared_project():
    shared, other = new_project(), new_group()
    project(owner, shared).share(other, 20)
    return project, shared, other


def shared_group():
    shared, other = new_group(), new_group()
    group(owner, shared).share(other, 20)
    return group, shared, other


def unshare(api, parts):
    find, shared, other = parts
    find(api, shared).unshare(other)


def starred_project():
    path = new_project()
    project(owner, path).star()
    return path


def linked_project():
    path = new_project()
    project(owner, path).create_fork_relation(web.id)
    return path


def linked_issue():
    iid = new_issue()
    issue(owner, iid).links.create({"target_project_id": web.id, "target_issue_iid": new_issue()})
    return iid, issue(owner, iid).links.list()[0].issue_link_id


def remove_link(api, iid, link):
    issue(api, iid).links.delete(link)


def approved_merge_request():
    iid = new_merge_request()
    merge_request(owner, iid).approve()
    return iid


def new_rule_data():
    """No approvals, so that other calls can merge."""
    return {"name": unique("rule"), "approvals_required": 0, "user_ids": [owner_id]}


def approval_rule():
    return web.approvalrules.create(new_rule_data()).id


def with_own_rule(api, call):
    """A rule of a new merge request."""
    iid = new_merge_request()
    rule = merge_request(owner, iid).approval_rules.create(new_rule_data()).id
    return call(merge_request(api, iid).approval_rules, rule)


def of_bot(api):
    """A bot instead of the owner, for calls that only bots may make."""
    data = {"name": "robot", "scopes": ["api"], "access_level": 30}
    return client(web.access_tokens.create(data).token) if api is owner else api


def event_calls(base, find):
    """The changes of an issue or a merge request."""

    def events(api, kind):
        return getattr(find(api), f"resource{kind}events")

    def event(kind):
        change = {"add_labels": "changed", "milestone_id": new_milestone()}
        for state in ("close", "reopen"):
            find(owner).manager.update(1, {**change, "state_event": state})
        return events(owner, kind).list()[0].id

    calls = {}
    for kind in ("label", "milestone", "state"):
        path = f"GET {base}/resource_{kind}_events"
        calls[path] = lambda api, kind=kind: events(api, kind).list()
        calls[f"{path}/:resource_{kind}_event_id"] = lambda api, kind=kind: events(api, kind).get(event(kind))
    return calls


def user_after(change):
    """The id of a new user who was blocked, banned or deactivated."""
    id = new_user()
    getattr(user(admin, id), change)()
    return id


def user(api, id=1):
    return api.users.get(id, lazy=True)


def me(api):
    return CurrentUser(CurrentUserManager(api), {"id": 1})


def remove_child(api, managers, data):
    """Creates and removes a key, e-mail address or token of a new user."""
    id = new_user()
    child = getattr(user(admin, id), managers).create(data).id
    getattr(user(api, id), managers).delete(child)


def impersonation_token(api):
    id = new_user()
    token = user(admin, id).impersonationtokens.create(new_token).id
    return user(api, id).impersonationtokens.get(token)


def new_email():
    return {"email": f"{unique('second')}@example.com"}


new_token = {"name": "robot", "scopes": ["read_api"]}
snippet_file = {"title": "Notes", "file_name": "a", "content": "x", "visibility": "private"}
site = {"name": "Site", "url": "https://example.com"}


def milestone_calls(kind, parent):
    """The calls of milestones, which projects and groups have."""
    base = f"/{kind}/:id/milestones"

    def new():
        return new_milestone(parent(owner))

    return {
        f"GET {base}": lambda api: parent(api).milestones.list(state="active"),
        f"POST {base}": lambda api: parent(api).milestones.create({"title": unique("milestone")}),
        f"GET {base}/:milestone_id": lambda api: parent(api).milestones.get(new()),
        f"PUT {base}/:milestone_id": lambda api: parent(api).milestones.update(new(), {"state_event": "close"}),
        f"DELETE {base}/:milestone_id": lambda api: parent(api).milestones.delete(new()),
        f"GET {base}/:milestone_id/issues": lambda api: parent(api).milestones.get(new(), lazy=True).issues(),
        f"GET {base}/:milestone_id/merge_requests": lambda api: parent(api)
        .milestones.get(new(), lazy=True)
        .merge_requests(),
    }


def item_calls(base, item, new):
    """The calls of subscriptions, to-dos and time tracking, which issues and merge requests have."""

    def unsubscribed():
        iid = new()
        item(owner, iid).unsubscribe()
        return iid

    return {
        f"GET {base}/participants": lambda api: item(api).participants(),
        f"POST {base}/subscribe": lambda api: item(api, unsubscribed()).subscribe(),
        f"POST {base}/unsubscribe": lambda api: item(api, new()).unsubscribe(),
        f"POST {base}/todo": lambda api: item(api, new()).todo(),
        f"GET {base}/time_stats": lambda api: item(api).time_stats(),
        f"POST {base}/time_estimate": lambda api: item(api).time_estimate("3h30m"),
        f"POST {base}/reset_time_estimate": lambda api: item(api).reset_time_estimate(),
        f"POST {base}/add_spent_time": lambda api: item(api).add_spent_time("1h"),
        f"POST {base}/reset_spent_time": lambda api: item(api).reset_spent_time(),
    }


def new_discussion(item):
    return item(owner).discussions.create({"body": "Why?"})


def discussion_calls(base, find):
    """The calls of discussions of an item, which `find` finds with a client."""

    def notes(api, discussion):
        return find(api).discussions.get(discussion.id, lazy=True).notes

    def with_note(call):
        def run(api):
            discussion = new_discussion(find)
            call(notes(api, discussion), discussion.attributes["notes"][0]["id"])

        return run

    discussions = f"{base}/discussions"
    return {
        f"GET {discussions}": lambda api: find(api).discussions.list(),
        f"POST {discussions}": lambda api: find(api).discussions.create({"body": "Why?"}),
        f"GET {discussions}/:discussion_id": lambda api: find(api).discussions.get(new_discussion(find).id),
        f"POST {discussions}/:discussion_id/notes": lambda api: notes(api, new_discussion(find)).create(
            {"body": "Because"}
        ),
        f"GET {discussions}/:discussion_id/notes/:note_id": with_note(lambda notes, id: notes.get(id)),
        f"PUT {discussions}/:discussion_id/notes/:note_id": with_note(
            lambda notes, id: notes.update(id, {"body": "How?"})
        ),
        f"DELETE {discussions}/:discussion_id/notes/:note_id": with_note(lambda notes, id: notes.delete(id)),
    }


def noteable_calls(base, item):
    """The calls of discussions and award emoji. A discussion of a snippet needs the same snippet in all calls."""
    fixed = new_snippet()

    def find(api):
        return item(api, fixed) if item is snippet else item(api)

    def note_awards(api):
        return find(api).notes.get(find(owner).notes.create({"body": "A note"}).id, lazy=True).awardemojis

    def calls_of_awards(path, awards):
        def with_award(call):
            def run(api):
                own = awards(owner)
                award = own.create({"name": emoji()}).id
                # The same manager for the other client.
                call(type(own)(api, own._parent), award)

            return run

        return {
            f"GET {path}": lambda api: awards(api).list(),
            f"POST {path}": lambda api: awards(api).create({"name": emoji()}),
            f"GET {path}/:award_id": with_award(lambda awards, id: awards.get(id)),
            f"DELETE {path}/:award_id": with_award(lambda awards, id: awards.delete(id)),
        }

    return {
        **discussion_calls(base, find),
        **calls_of_awards(f"{base}/award_emoji", lambda api: find(api).awardemojis),
        **calls_of_awards(f"{base}/notes/:note_id/award_emoji", note_awards),
    }


# The start of an archive: an import accepts it, and its job reports that it is damaged.
archive_start = bytes([0x1F, 0x8B, 8, 0])


def template_calls(kind, key, templates):
    return {
        f"GET /templates/{kind}": lambda api: templates(api).list(),
        f"GET /templates/{kind}/:key": lambda api: templates(api).get(key),
    }


def wiki_calls(base, find):
    def new_page():
        return find(owner).wikis.create({"title": f"docs/{unique('page')}", "content": "A text"}).slug

    wikis = f"{base}/wikis"
    return {
        f"GET {wikis}": lambda api: find(api).wikis.list(),
        f"POST {wikis}": lambda api: find(api).wikis.create({"title": unique("page"), "content": "A text"}),
        f"GET {wikis}/:slug": lambda api: find(api).wikis.get(new_page()),
        f"PUT {wikis}/:slug": lambda api: find(api).wikis.update(new_page(), {"content": "Other"}),
        f"DELETE {wikis}/:slug": lambda api: find(api).wikis.delete(new_page()),
    }


badge_urls = {"link_url": "https://ci.example.com", "image_url": "https://ci.example.com/badge.svg"}


def with_push_rule(api, new, call):
    """Calls with a new project or group that has a push rule."""
    parent = new(owner)
    parent.pushrules.create({"deny_delete_tag": True})
    return call(new(api, parent.get_id()))


def private_project(api, id=None):
    return project(api, id or new_project())


def private_group(api, id=None):
    return group(api, id or new_group())


def push_rule_calls(base, new):
    rule = f"{base}/push_rule"
    return {
        f"GET {rule}": lambda api: with_push_rule(api, new, lambda parent: parent.pushrules.get()),
        f"POST {rule}": lambda api: new(api).pushrules.create({"max_file_size": 5}),
        f"PUT {rule}": lambda api: with_push_rule(
            api, new, lambda parent: parent.pushrules.update(new_data={"max_file_size": 5})
        ),
        f"DELETE {rule}": lambda api: with_push_rule(api, new, lambda parent: parent.pushrules.delete()),
    }


def invitation_calls(base, find):
    def invite():
        email = new_email()["email"]
        find(owner).invitations.create({"email": email, "access_level": 30})
        return email

    invitations = f"{base}/invitations"
    return {
        f"GET {invitations}": lambda api: find(api).invitations.list(),
        f"POST {invitations}": lambda api: find(api).invitations.create({**new_email(), "access_level": 30}),
        f"PUT {invitations}/:email": lambda api: find(api).invitations.update(invite(), {"access_level": 20}),
        f"DELETE {invitations}/:email": lambda api: find(api).invitations.delete(invite()),
    }


def new_secure_file(api=None):
    with open(__file__, "rb") as file:
        return project(api or owner).secure_files.create({"name": unique("file"), "file": file})


def secure_file(api):
    return ProjectSecureFile(project(api).secure_files, {"id": new_secure_file().id})


def new_feature():
    name = re.sub(r"\W", "_", unique("feature"))
    admin.features.set(name, True)
    return name


def badge_calls(base, find):
    def new_badge():
        return find(owner).badges.create(badge_urls).id

    badges = f"{base}/badges"
    return {
        f"GET {badges}": lambda api: find(api).badges.list(),
        f"POST {badges}": lambda api: find(api).badges.create(badge_urls),
        f"GET {badges}/render": lambda api: find(api).badges.render(**badge_urls),
        f"GET {badges}/:badge_id": lambda api: find(api).badges.get(new_badge()),
        f"PUT {badges}/:badge_id": lambda api: find(api).badges.update(new_badge(), {"name": "Other"}),
        f"DELETE {badges}/:badge_id": lambda api: find(api).badges.delete(new_badge()),
    }


def board_calls(base, find):
    def new_board():
        return find(owner).boards.create({"name": unique("board")}).id

    def new_list(board):
        label = find(owner).labels.create({"name": unique("label"), "color": "red"})
        return lists(owner, board).create({"label_id": label.id}).id

    def lists(api, board):
        return find(api).boards.get(board, lazy=True).lists

    def with_list(call):
        def run(api):
            board = new_board()
            call(lists(api, board), new_list(board))

        return run

    def create_list(api):
        label = find(owner).labels.create({"name": unique("label"), "color": "red"})
        lists(api, new_board()).create({"label_id": label.id})

    boards = f"{base}/boards"
    return {
        f"GET {boards}": lambda api: find(api).boards.list(),
        f"POST {boards}": lambda api: find(api).boards.create({"name": unique("board")}),
        f"GET {boards}/:board_id": lambda api: find(api).boards.get(new_board()),
        f"PUT {boards}/:board_id": lambda api: find(api).boards.update(new_board(), {"name": "Other"}),
        f"DELETE {boards}/:board_id": lambda api: find(api).boards.delete(new_board()),
        f"GET {boards}/:board_id/lists": lambda api: lists(api, new_board()).list(),
        f"POST {boards}/:board_id/lists": create_list,
        f"GET {boards}/:board_id/lists/:list_id": with_list(lambda lists, id: lists.get(id)),
        f"PUT {boards}/:board_id/lists/:list_id": with_list(lambda lists, id: lists.update(id, {"position": 0})),
        f"DELETE {boards}/:board_id/lists/:list_id": with_list(lambda lists, id: lists.delete(id)),
    }


def new_topic():
    return admin.topics.create({"name": unique("topic"), "title": "Topic"}).id


def new_message():
    return admin.broadcastmessages.create({"message": "Hello"}).id


owner.auth()
owner_id = owner.user.id
issue_id = web.issues.get(1).id
emojis = itertools.cycle(["rocket", "heart", "tada", "eyes", "star", "zap", "fire", "bug"])


def emoji():
    return next(emojis)


# Owners of the project and group may make these calls; others cannot see either.
of_owners = {
    "GET /projects/:id": lambda api: api.projects.get("acme/web"),
    "PUT /projects/:id": lambda api: api.projects.update("acme/web", {"description": "The website"}),
    "DELETE /projects/:id": lambda api: api.projects.delete(new_project()),
    "POST /projects/:id/archive": lambda api: project(api, new_project()).archive(),
    "POST /projects/:id/unarchive": lambda api: project(api, new_project()).unarchive(),
    "POST /projects/:id/star": lambda api: project(api, new_project()).star(),
    "POST /projects/:id/unstar": lambda api: project(api, starred_project()).unstar(),
    "GET /projects/:id/users": lambda api: project(api).users.list(),
    "PUT /projects/:id/transfer": lambda api: project(api, new_project()).transfer("acme/tools"),
    "GET /projects/:id/groups": lambda api: project(api).groups.list(),
    "POST /projects/:id/share": lambda api: project(api, new_project()).share(new_group(), 20),
    "DELETE /projects/:id/share/:group_id": lambda api: unshare(api, shared_project()),
    "POST /projects/:id/fork": lambda api: project(api).forks.create({"path": unique("fork"), "name": unique("Fork")}),
    "GET /projects/:id/forks": lambda api: project(api).forks.list(),
    "POST /projects/:id/fork/:forked_from_id": lambda api: project(api, new_project()).create_fork_relation(web.id),
    "DELETE /projects/:id/fork": lambda api: project(api, linked_project()).delete_fork_relation(),
    "GET /namespaces/:id": lambda api: api.namespaces.get("acme"),
    "GET /projects/:id/packages": lambda api: project(api).packages.list(),
    "GET /groups/:id/packages": lambda api: group(api).packages.list(),
    "GET /projects/:id/packages/:package_id": lambda api: with_package_file(
        lambda package, _: project(api).packages.get(package.id)
    ),
    "DELETE /projects/:id/packages/:package_id": lambda api: with_package_file(
        lambda package, _: project(api).packages.delete(package.id)
    ),
    "GET /projects/:id/packages/:package_id/package_files": lambda api: with_package_file(
        lambda package, _: project(api).packages.get(package.id, lazy=True).package_files.list()
    ),
    "DELETE /projects/:id/packages/:package_id/package_files/:package_file_id": lambda api: with_package_file(
        lambda package, file: project(api).packages.get(package.id, lazy=True).package_files.delete(file)
    ),
    "PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name": lambda api: project(
        api
    ).generic_packages.upload(unique("package"), "1.0.0", "notes.txt", path=__file__),
    "GET /projects/:id/packages/generic/:package_name/:package_version/:file_name": lambda api: download_package(api),
    "GET /registry/repositories/:id": lambda api: api.registry_repositories.get(repository),
    "POST /projects/:id/uploads": lambda api: project(api).upload("notes.txt", filedata="Notes"),
    "GET /projects/:id/deploy_keys": lambda api: project(api).keys.list(),
    "POST /projects/:id/deploy_keys": lambda api: project(api).keys.create(new_public_key()),
    "GET /projects/:id/deploy_keys/:key_id": lambda api: project(api).keys.get(new_deploy_key()),
    "PUT /projects/:id/deploy_keys/:key_id": lambda api: project(api).keys.update(new_deploy_key(), {"can_push": True}),
    "DELETE /projects/:id/deploy_keys/:key_id": lambda api: project(api).keys.delete(new_deploy_key()),
    "GET /projects/:id/search": lambda api: project(api).search("issues", "home"),
    "PUT /groups/:id": lambda api: api.groups.update("acme", {"description": "Everything"}),
    "DELETE /groups/:id": lambda api: api.groups.delete(new_group()),
    "GET /groups/:id/descendant_groups": lambda api: group(api).descendant_groups.list(),
    "POST /groups/:id/transfer": lambda api: group(api, new_group()).transfer(new_group()),
    "POST /groups/:id/share": lambda api: group(api, new_group()).share(new_group(), 20),
    "DELETE /groups/:id/share/:group_id": lambda api: unshare(api, shared_group()),
    "GET /groups/:id/labels": lambda api: group(api).labels.list(),
    "POST /groups/:id/labels": lambda api: group(api).labels.create({"name": unique("label"), "color": "#ff0000"}),
    "GET /groups/:id/labels/:label_id": lambda api: group(api).labels.get(new_label()),
    "PUT /groups/:id/labels": lambda api: group(api).labels.update(new_label(), {"color": "#0000ff"}),
    "DELETE /groups/:id/labels/:label_id": lambda api: group(api).labels.delete(new_label()),
    "GET /projects/:id/languages": lambda api: private_project(api).languages(),
    "GET /projects/:id/statistics": lambda api: private_project(api).additionalstatistics.get(),
    "POST /groups/:id/labels/:label_id/subscribe": lambda api: private_label(api).subscribe(),
    "POST /groups/:id/labels/:label_id/unsubscribe": lambda api: subscribed_label(api).unsubscribe(),
    "GET /groups/:id/search": lambda api: group(api).search("issues", "home"),
    "GET /groups/:id/epics": lambda api: group(api).epics.list(),
    "POST /groups/:id/epics": lambda api: group(api).epics.create({"title": "Rewrite"}),
    "GET /groups/:id/epics/:epic_iid": lambda api: group(api).epics.get(new_epic()),
    "PUT /groups/:id/epics/:epic_iid": lambda api: group(api).epics.update(new_epic(), {"title": "Other"}),
    "DELETE /groups/:id/epics/:epic_iid": lambda api: group(api).epics.delete(new_epic()),
    "GET /projects/:id/repository/archive.tgz": lambda api: project(api).repository_archive(format="tgz"),
    "GET /projects/:id/repository/archive.gz": lambda api: project(api).repository_archive(format="gz"),
    "GET /projects/:id/repository/branches": lambda api: project(api).branches.list(),
    "GET /projects/:id/repository/branches/:branch": lambda api: project(api).branches.get("main"),
    "POST /projects/:id/repository/branches": lambda api: project(api).branches.create(
        {"branch": unique("topic/branch"), "ref": "main"}
    ),
    "DELETE /projects/:id/repository/branches/:branch": lambda api: project(api).branches.delete(new_branch()),
    "DELETE /projects/:id/repository/merged_branches": lambda api: project(api).delete_merged_branches(),
    "GET /projects/:id/repository/tags": lambda api: project(api).tags.list(),
    "GET /projects/:id/repository/tags/:tag_name": lambda api: project(api).tags.get("v0.1.0"),
    "POST /projects/:id/repository/tags": lambda api: project(api).tags.create(
        {"tag_name": unique("tag"), "ref": "main", "message": "A tag"}
    ),
    "DELETE /projects/:id/repository/tags/:tag_name": lambda api: project(api).tags.delete(new_tag()),
    "GET /projects/:id/repository/commits": lambda api: project(api).commits.list(ref_name="main"),
    "GET /projects/:id/repository/commits/:sha": lambda api: project(api).commits.get(head),
    "POST /projects/:id/repository/commits": lambda api: project(api).commits.create(new_changes(new_branch())),
    "GET /projects/:id/repository/commits/:sha/diff": lambda api: commit(api).diff(),
    "GET /projects/:id/repository/commits/:sha/refs": lambda api: commit(api).refs(),
    "GET /projects/:id/repository/commits/:sha/merge_requests": lambda api: commit(api).merge_requests(),
    "GET /projects/:id/repository/commits/:sha/comments": lambda api: commit(api).comments.list(),
    "POST /projects/:id/repository/commits/:sha/comments": lambda api: commit(api).comments.create({"note": "Good"}),
    "GET /projects/:id/protected_branches": lambda api: project(api).protectedbranches.list(),
    "GET /projects/:id/protected_branches/:name": lambda api: project(api).protectedbranches.get("main"),
    "POST /projects/:id/protected_branches": lambda api: project(api).protectedbranches.create(
        {"name": unique("release")}
    ),
    "DELETE /projects/:id/protected_branches/:name": lambda api: project(api).protectedbranches.delete(
        web.protectedbranches.create({"name": unique("release")}).name
    ),
    "GET /projects/:id/repository/commits/:sha/statuses": lambda api: commit(api).statuses.list(),
    "POST /projects/:id/statuses/:sha": lambda api: commit(api).statuses.create(
        {"state": "success", "name": unique("check")}
    ),
    "GET /projects/:id/ci/lint": lambda api: project(api).ci_lint.get(),
    "POST /projects/:id/ci/lint": lambda api: project(api).ci_lint.create({"content": pipeline_file}),
    "POST /projects/:id/pipeline": lambda api: project(api).pipelines.create({"ref": "ci"}),
    "POST /projects/:id/merge_requests/:merge_request_iid/pipelines": lambda api: merge_request(
        api, ci_request
    ).pipelines.create(),
    "GET /projects/:id/pipelines": lambda api: project(api).pipelines.list(),
    "GET /projects/:id/pipelines/:pipeline_id": lambda api: project(api).pipelines.get(pipelines[0]),
    "GET /projects/:id/pipelines/:pipeline_id/variables": lambda api: pipeline(api).variables.list(),
    "GET /projects/:id/pipelines/:pipeline_id/test_report": lambda api: pipeline(api).test_report.get(),
    "GET /projects/:id/pipelines/:pipeline_id/test_report_summary": lambda api: pipeline(
        api
    ).test_report_summary.get(),
    "GET /projects/:id/pipelines/:pipeline_id/jobs": lambda api: pipeline(api).jobs.list(),
    "GET /projects/:id/pipelines/:pipeline_id/bridges": lambda api: pipeline(api).bridges.list(),
    "POST /projects/:id/pipelines/:pipeline_id/retry": lambda api: pipeline(api).retry(),
    "POST /projects/:id/pipelines/:pipeline_id/cancel": lambda api: pipeline(api).cancel(),
    "GET /projects/:id/merge_requests/:merge_request_iid/pipelines": lambda api: merge_request(api).pipelines.list(),
    "GET /projects/:id/triggers": lambda api: project(api).triggers.list(),
    "POST /projects/:id/triggers": lambda api: project(api).triggers.create({"description": "Build"}),
    "GET /projects/:id/triggers/:trigger_id": lambda api: project(api).triggers.get(trigger()),
    "PUT /projects/:id/triggers/:trigger_id": lambda api: project(api).triggers.update(
        trigger(), {"description": "Release"}
    ),
    "DELETE /projects/:id/triggers/:trigger_id": lambda api: project(api).triggers.delete(trigger()),
    "POST /projects/:id/trigger/pipeline": trigger_pipeline,
    "GET /projects/:id/pipeline_schedules": lambda api: project(api).pipelineschedules.list(),
    "POST /projects/:id/pipeline_schedules": lambda api: project(api).pipelineschedules.create(new_schedule_data),
    "GET /projects/:id/pipeline_schedules/:pipeline_schedule_id": lambda api: project(api).pipelineschedules.get(
        schedule()
    ),
    "PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id": lambda api: project(api).pipelineschedules.update(
        schedule(), {"cron": "0 2 * * *"}
    ),
    "POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership": lambda api: schedule(
        api
    ).take_ownership(),
    "POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play": lambda api: schedule(api).play(),
    "DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id": lambda api: schedule(api).delete(),
    "POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables": lambda api: schedule(
        api
    ).variables.create({"key": "NEW", "value": "x"}),
    "PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key": lambda api: schedule(
        api
    ).variables.update("KEY", {"key": "KEY", "value": "y"}),
    "DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key": lambda api: schedule(
        api
    ).variables.delete("KEY"),
    "GET /projects/:id/jobs": lambda api: project(api).jobs.list(),
    "GET /projects/:id/jobs/:job_id": lambda api: project(api).jobs.get(jobs["build"]),
    "GET /projects/:id/jobs/:job_id/trace": lambda api: job(api).trace(),
    "GET /projects/:id/jobs/artifacts/:ref_name/download": lambda api: project(api).artifacts.download("main", "build"),
    "GET /projects/:id/jobs/artifacts/:ref_name/raw/:artifact_path": lambda api: project(api).artifacts.raw(
        "main", "a.txt", "build"
    ),
    "POST /projects/:id/jobs/:job_id/play": lambda api: job(api, "ask").play(),
    "POST /projects/:id/jobs/:job_id/cancel": lambda api: job(api).cancel(),
    "GET /projects/:id/jobs/:job_id/artifacts": lambda api: job(api).artifacts(),
    "GET /projects/:id/jobs/:job_id/artifacts/:artifact_path": lambda api: job(api).artifact("a.txt"),
    "POST /projects/:id/jobs/:job_id/artifacts/keep": lambda api: job(api).keep_artifacts(),
    "DELETE /projects/:id/jobs/:job_id/artifacts": lambda api: job(api).delete_artifacts(),
    "POST /projects/:id/jobs/:job_id/erase": lambda api: job(api).erase(),
    "POST /projects/:id/jobs/:job_id/retry": lambda api: job(api).retry(),
    "DELETE /projects/:id/artifacts": lambda api: project(api).artifacts.delete(),
    "DELETE /projects/:id/pipelines/:pipeline_id": lambda api: pipeline(api).delete(),
    "GET /projects/:id/hooks": lambda api: project(api).hooks.list(),
    "POST /projects/:id/hooks": lambda api: project(api).hooks.create({"url": hook_url}),
    "GET /projects/:id/hooks/:hook_id": lambda api: project(api).hooks.get(new_hook(web)),
    "PUT /projects/:id/hooks/:hook_id": lambda api: project(api).hooks.update(new_hook(web), {"url": hook_url}),
    "DELETE /projects/:id/hooks/:hook_id": lambda api: project(api).hooks.delete(new_hook(web)),
    "GET /groups/:id/hooks": lambda api: group(api).hooks.list(),
    "POST /groups/:id/hooks": lambda api: group(api).hooks.create({"url": hook_url}),
    "GET /groups/:id/hooks/:hook_id": lambda api: group(api).hooks.get(new_hook(acme)),
    "PUT /groups/:id/hooks/:hook_id": lambda api: group(api).hooks.update(new_hook(acme), {"url": hook_url}),
    "DELETE /groups/:id/hooks/:hook_id": lambda api: group(api).hooks.delete(new_hook(acme)),
    "GET /projects/:id/access_tokens": lambda api: project(api).access_tokens.list(),
    "POST /projects/:id/access_tokens": lambda api: project(api).access_tokens.create(new_token),
    "DELETE /projects/:id/access_tokens/:token_id": lambda api: project(api).access_tokens.delete(new_access_token(web)),
    "GET /groups/:id/access_tokens": lambda api: group(api).access_tokens.list(),
    "POST /groups/:id/access_tokens": lambda api: group(api).access_tokens.create(new_token),
    "DELETE /groups/:id/access_tokens/:token_id": lambda api: group(api).access_tokens.delete(new_access_token(acme)),
    "GET /projects/:id/deploy_tokens": lambda api: project(api).deploytokens.list(),
    "POST /projects/:id/deploy_tokens": lambda api: project(api).deploytokens.create(new_deploy_token),
    "GET /projects/:id/deploy_tokens/:token_id": lambda api: project(api).deploytokens.get(deploy_token(web)),
    "DELETE /projects/:id/deploy_tokens/:token_id": lambda api: project(api).deploytokens.delete(deploy_token(web)),
    "GET /projects/:id/variables": lambda api: project(api).variables.list(),
    "POST /projects/:id/variables": lambda api: project(api).variables.create(new_variable()),
    "GET /projects/:id/variables/:key": lambda api: project(api).variables.get(variable(web)),
    "PUT /projects/:id/variables/:key": lambda api: project(api).variables.update(variable(web), {"value": "y"}),
    "DELETE /projects/:id/variables/:key": lambda api: project(api).variables.delete(variable(web)),
    "GET /groups/:id/variables": lambda api: group(api).variables.list(),
    "POST /groups/:id/variables": lambda api: group(api).variables.create(new_variable()),
    "GET /groups/:id/variables/:key": lambda api: group(api).variables.get(variable(acme)),
    "PUT /groups/:id/variables/:key": lambda api: group(api).variables.update(variable(acme), {"value": "y"}),
    "DELETE /groups/:id/variables/:key": lambda api: group(api).variables.delete(variable(acme)),
    "GET /groups/:id/deploy_tokens": lambda api: group(api).deploytokens.list(),
    "POST /groups/:id/deploy_tokens": lambda api: group(api).deploytokens.create(new_deploy_token),
    "GET /groups/:id/deploy_tokens/:token_id": lambda api: group(api).deploytokens.get(deploy_token(acme)),
    "DELETE /groups/:id/deploy_tokens/:token_id": lambda api: group(api).deploytokens.delete(deploy_token(acme)),
    "GET /projects/:id/protected_tags": lambda api: project(api).protectedtags.list(),
    "GET /projects/:id/protected_tags/:name": lambda api: project(api).protectedtags.get(
        web.protectedtags.create({"name": unique("v")}).name
    ),
    "POST /projects/:id/protected_tags": lambda api: project(api).protectedtags.create({"name": unique("v")}),
    "DELETE /projects/:id/protected_tags/:name": lambda api: project(api).protectedtags.delete(
        web.protectedtags.create({"name": unique("v")}).name
    ),
    "POST /projects/:id/repository/commits/:sha/cherry_pick": lambda api: commit(
        api, new_commit(new_branch()).id
    ).cherry_pick(new_branch()),
    "POST /projects/:id/repository/commits/:sha/revert": lambda api: commit(api).revert(new_branch()),
    "GET /projects/:id/repository/files/:file_path": lambda api: project(api).files.get("docs/build.md", ref="main"),
    "GET /projects/:id/repository/files/:file_path/raw": lambda api: project(api).files.raw("docs/build.md", ref="main"),
    "GET /projects/:id/repository/files/:file_path/blame": lambda api: project(api).files.blame(
        "docs/build.md", ref="main"
    ),
    "POST /projects/:id/repository/files/:file_path": lambda api: project(api).files.create(
        {"file_path": "docs/new.md", **new_content()}
    ),
    "PUT /projects/:id/repository/files/:file_path": lambda api: project(api).files.update("docs/build.md", new_content()),
    "DELETE /projects/:id/repository/files/:file_path": lambda api: project(api).files.delete(
        "docs/build.md", new_branch(), "Remove a file"
    ),
    "GET /projects/:id/snippets": lambda api: project(api).snippets.list(),
    "POST /projects/:id/snippets": lambda api: project(api).snippets.create(snippet_file),
    "GET /projects/:id/snippets/:snippet_id": lambda api: project(api).snippets.get(new_snippet()),
    "GET /projects/:id/snippets/:snippet_id/raw": lambda api: snippet(api).content(),
    "PUT /projects/:id/snippets/:snippet_id": lambda api: project(api).snippets.update(new_snippet(), {"title": "Other"}),
    "DELETE /projects/:id/snippets/:snippet_id": lambda api: project(api).snippets.delete(new_snippet()),
    "GET /projects/:id/deployments": lambda api: project(api).deployments.list(order_by="id"),
    "GET /projects/:id/deployments/:deployment_id": lambda api: project(api).deployments.get(new_deployment()),
    "POST /projects/:id/deployments": lambda api: project(api).deployments.create(new_deployment_data()),
    "GET /projects/:id/deployments/:deployment_id/merge_requests": lambda api: project(api)
    .deployments.get(new_deployment(), lazy=True)
    .mergerequests.list(),
    "PUT /projects/:id/deployments/:deployment_id": lambda api: project(api).deployments.update(
        new_deployment(), {"status": "success"}
    ),
    "GET /projects/:id/releases": lambda api: project(api).releases.list(),
    "POST /projects/:id/releases": lambda api: project(api).releases.create(new_release_data()),
    "GET /projects/:id/releases/:tag_name": lambda api: project(api).releases.get(new_release()),
    "PUT /projects/:id/releases/:tag_name": lambda api: project(api).releases.update(new_release(), {"name": "Other"}),
    "DELETE /projects/:id/releases/:tag_name": lambda api: project(api).releases.delete(new_release()),
    "GET /projects/:id/releases/:tag_name/assets/links": lambda api: links(api, new_release()).list(),
    "POST /projects/:id/releases/:tag_name/assets/links": lambda api: links(api, new_release()).create(site),
    "GET /projects/:id/releases/:tag_name/assets/links/:link_id": lambda api: with_link(
        api, lambda links, id: links.get(id)
    ),
    "PUT /projects/:id/releases/:tag_name/assets/links/:link_id": lambda api: with_link(
        api, lambda links, id: links.update(id, {"name": "Other"})
    ),
    "DELETE /projects/:id/releases/:tag_name/assets/links/:link_id": lambda api: with_link(
        api, lambda links, id: links.delete(id)
    ),
    "POST /projects/:id/milestones/:milestone_id/promote": lambda api: project(api)
    .milestones.get(new_milestone(), lazy=True)
    .promote(),
    "GET /groups/:id/issues": lambda api: group(api).issues.list(),
    "GET /projects/:id/issues": lambda api: project(api).issues.list(state="opened"),
    "POST /projects/:id/issues": lambda api: project(api).issues.create({"title": "Crash", "labels": ["bug"]}),
    "GET /projects/:id/issues/:issue_iid": lambda api: project(api).issues.get(1),
    "PUT /projects/:id/issues/:issue_iid": lambda api: project(api).issues.update(new_issue(), {"state_event": "close"}),
    "DELETE /projects/:id/issues/:issue_iid": lambda api: project(api).issues.delete(new_issue()),
    "POST /projects/:id/issues/:issue_iid/move": lambda api: issue(api, new_issue()).move(new_project()),
    "PUT /projects/:id/issues/:issue_iid/reorder": lambda api: issue(api, new_issue()).reorder(move_after_id=issue_id),
    "GET /projects/:id/issues/:issue_iid/related_merge_requests": lambda api: issue(api).related_merge_requests(),
    "GET /projects/:id/issues/:issue_iid/closed_by": lambda api: issue(api).closed_by(),
    "GET /projects/:id/issues/:issue_iid/links": lambda api: issue(api).links.list(),
    "POST /projects/:id/issues/:issue_iid/links": lambda api: issue(api, new_issue()).links.create(
        {"target_project_id": web.id, "target_issue_iid": new_issue()}
    ),
    "DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id": lambda api: remove_link(api, *linked_issue()),
    "GET /groups/:id/merge_requests": lambda api: group(api).mergerequests.list(),
    "GET /projects/:id/merge_requests": lambda api: project(api).mergerequests.list(),
    "POST /projects/:id/merge_requests": lambda api: project(api).mergerequests.create(new_merge_request_data()),
    "GET /projects/:id/merge_requests/:merge_request_iid": lambda api: project(api).mergerequests.get(1),
    "PUT /projects/:id/merge_requests/:merge_request_iid": lambda api: project(api).mergerequests.update(
        1, {"description": "Faster"}
    ),
    "DELETE /projects/:id/merge_requests/:merge_request_iid": lambda api: project(api).mergerequests.delete(
        new_merge_request()
    ),
    "PUT /projects/:id/merge_requests/:merge_request_iid/merge": lambda api: merge_request(
        api, new_merge_request()
    ).merge(merge_commit_message="Merge it", should_remove_source_branch=True),
    "PUT /projects/:id/merge_requests/:merge_request_iid/rebase": lambda api: merge_request(
        api, new_merge_request()
    ).rebase(),
    "GET /projects/:id/merge_requests/:merge_request_iid/merge_ref": lambda api: merge_request(
        api, new_merge_request()
    ).merge_ref(),
    "GET /projects/:id/merge_requests/:merge_request_iid/commits": lambda api: merge_request(api).commits(),
    "GET /projects/:id/merge_requests/:merge_request_iid/changes": lambda api: merge_request(api).changes(),
    "GET /projects/:id/merge_requests/:merge_request_iid/versions": lambda api: merge_request(api).diffs.list(),
    "GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id": lambda api: merge_request(api).diffs.get(
        merge_request(owner).diffs.list()[0].id
    ),
    "GET /projects/:id/merge_requests/:merge_request_iid/closes_issues": lambda api: merge_request(api).closes_issues(),
    "GET /projects/:id/merge_requests/:merge_request_iid/approvals": lambda api: merge_request(api).approvals.get(),
    "POST /projects/:id/merge_requests/:merge_request_iid/approve": lambda api: merge_request(
        api, new_merge_request()
    ).approve(),
    "POST /projects/:id/merge_requests/:merge_request_iid/unapprove": lambda api: merge_request(
        api, approved_merge_request()
    ).unapprove(),
    "GET /projects/:id/approvals": lambda api: project(api).approvals.get(),
    "POST /projects/:id/approvals": lambda api: project(api).approvals.update(
        new_data={"reset_approvals_on_push": False}
    ),
    "GET /projects/:id/approval_rules": lambda api: project(api).approvalrules.list(),
    "POST /projects/:id/approval_rules": lambda api: project(api).approvalrules.create(new_rule_data()),
    "PUT /projects/:id/approval_rules/:approval_rule_id": lambda api: project(api).approvalrules.update(
        approval_rule(), {"approvals_required": 0}
    ),
    "DELETE /projects/:id/approval_rules/:approval_rule_id": lambda api: project(api).approvalrules.delete(
        approval_rule()
    ),
    "GET /projects/:id/merge_requests/:merge_request_iid/approval_state": lambda api: merge_request(
        api
    ).approval_state.get(),
    "POST /projects/:id/merge_requests/:merge_request_iid/approvals": lambda api: merge_request(
        api, new_merge_request()
    ).approvals.update(new_data={"approvals_required": 1}),
    "PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals": lambda api: merge_request(
        of_bot(api)
    ).reset_approvals(),
    "GET /projects/:id/merge_requests/:merge_request_iid/approval_rules": lambda api: merge_request(
        api
    ).approval_rules.list(),
    "POST /projects/:id/merge_requests/:merge_request_iid/approval_rules": lambda api: merge_request(
        api, new_merge_request()
    ).approval_rules.create(new_rule_data()),
    "GET /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id": lambda api: with_own_rule(
        api, lambda rules, id: rules.get(id)
    ),
    "PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id": lambda api: with_own_rule(
        api,
        lambda rules, id: rules.update(
            id, {"id": web.id, "merge_request_iid": 1, "approval_rule_id": id, **new_rule_data()}
        ),
    ),
    "DELETE /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id": lambda api: with_own_rule(
        api, lambda rules, id: rules.delete(id)
    ),
    "GET /groups/:id/epics/:epic_id/resource_label_events": lambda api: epic_events(api).list(),
    "GET /groups/:id/epics/:epic_id/resource_label_events/:resource_label_event_id": lambda api: epic_events(api).get(
        epic_events(owner).list()[0].id
    ),
    "GET /groups/:id/epics/:epic_iid/award_emoji": lambda api: epic_awards(api, new_epic()).list(),
    "POST /groups/:id/epics/:epic_iid/award_emoji": lambda api: epic_awards(api, new_epic()).create({"name": "heart"}),
    "GET /groups/:id/epics/:epic_iid/award_emoji/:award_id": lambda api: with_epic_award(
        api, lambda awards, id: awards.get(id)
    ),
    "DELETE /groups/:id/epics/:epic_iid/award_emoji/:award_id": lambda api: with_epic_award(
        api, lambda awards, id: awards.delete(id)
    ),
    "GET /groups/:id/epics/:epic_iid/issues": lambda api: epic_issues(api, new_epic()).list(),
    "POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id": lambda api: epic_issues(api, new_epic()).create(
        {"issue_id": new_issue_id()}
    ),
    "PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id": lambda api: with_epic_issue(
        api, lambda issues, id, other: issues.update(id, {"move_before_id": other})
    ),
    "DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id": lambda api: with_epic_issue(
        api, lambda issues, id, _: issues.delete(id)
    ),
    **event_calls("/projects/:id/issues/:issue_iid", issue),
    **event_calls("/projects/:id/merge_requests/:merge_request_iid", merge_request),
    "PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id": lambda api: merge_request(
        api
    ).discussions.update(new_discussion(merge_request).id, {"resolved": True}),
    **wiki_calls("/projects/:id", project),
    **wiki_calls("/groups/:id", group),
    **push_rule_calls("/projects/:id", private_project),
    **push_rule_calls("/groups/:id", private_group),
    "GET /projects/:id/secure_files": lambda api: project(api).secure_files.list(),
    "POST /projects/:id/secure_files": lambda api: new_secure_file(api),
    "GET /projects/:id/secure_files/:secure_file_id": lambda api: project(api).secure_files.get(new_secure_file().id),
    "GET /projects/:id/secure_files/:secure_file_id/download": lambda api: secure_file(api).download(),
    "DELETE /projects/:id/secure_files/:secure_file_id": lambda api: secure_file(api).delete(),
    **invitation_calls("/projects/:id", project),
    **invitation_calls("/groups/:id", group),
    **badge_calls("/projects/:id", project),
    **badge_calls("/groups/:id", group),
    **board_calls("/projects/:id", project),
    **board_calls("/groups/:id", group),
    "POST /projects/:id/export": lambda api: project(api).exports.create({"description": "Exported"}),
    "GET /projects/:id/export": lambda api: project(api).exports.get(),
    # The host has created the archives.
    "GET /projects/:id/export/download": lambda api: ProjectExport(project(api).exports, {}).download(),
    "GET /projects/:id/import": lambda api: project(api).imports.get(),
    "POST /projects/import": lambda api: api.projects.import_project(
        archive_start, unique("imported"), name="Imported", namespace="acme"
    ),
    "POST /groups/:id/export": lambda api: group(api).exports.create(),
    "GET /groups/:id/export": lambda api: group(api).exports.get(),
    "GET /groups/:id/export/download": lambda api: GroupExport(group(api).exports, {}).download(),
    "GET /groups/:id/import": lambda api: group(api).imports.get(),
    "POST /groups/import": lambda api: api.groups.import_group(
        archive_start, unique("imported"), "Imported", parent_id=str(acme.id)
    ),
    "POST /projects/:id/housekeeping": lambda api: project(api).housekeeping(),
    **milestone_calls("projects", project),
    **milestone_calls("groups", group),
    **item_calls("/projects/:id/issues/:issue_iid", issue, new_issue),
    **item_calls("/projects/:id/merge_requests/:merge_request_iid", merge_request, new_merge_request),
    **noteable_calls("/projects/:id/issues/:issue_iid", issue),
    **noteable_calls("/projects/:id/merge_requests/:merge_request_iid", merge_request),
    **noteable_calls("/projects/:id/snippets/:snippet_id", snippet),
    **discussion_calls("/projects/:id/repository/commits/:sha", commit),
}

# All signed-in users may make these calls; the others have an invalid token.
of_users = {
    "POST /ci/lint": lambda api: api.ci_lint.create({"content": pipeline_file}),
    "GET /projects": lambda api: api.projects.list(),
    "POST /projects": lambda api: api.projects.create({"name": unique("project")}),
    "GET /users/:user_id/projects": lambda api: user(api).projects.list(),
    "GET /users/:user_id/starred_projects": lambda api: user(api).starred_projects.list(),
    "GET /namespaces": lambda api: api.namespaces.list(),
    "GET /namespaces/:path/exists": lambda api: api.namespaces.exists("acme"),
    "POST /groups": lambda api: api.groups.create({"name": "Group", "path": unique("group")}),
    "GET /user": lambda api: api.auth(),
    "GET /users": lambda api: api.users.list(search="bob"),
    "GET /users/:id": lambda api: api.users.get(1),
    "GET /users/:id/status": lambda api: user(api).status.get(),
    "GET /users/:id/keys": lambda api: user(api).keys.list(),
    "GET /users/:id/keys/:key_id": lambda api: user(api, owner_id).keys.get(me(owner).keys.create(new_public_key()).id),
    "GET /user/keys": lambda api: me(api).keys.list(),
    "POST /user/keys": lambda api: me(api).keys.create(new_public_key()),
    "GET /user/keys/:key_id": lambda api: me(api).keys.get(me(owner).keys.create(new_public_key()).id),
    "DELETE /user/keys/:key_id": lambda api: me(api).keys.delete(me(owner).keys.create(new_public_key()).id),
    "GET /user/gpg_keys": lambda api: me(api).gpgkeys.list(),
    "POST /user/gpg_keys": lambda api: me(api).gpgkeys.create(new_gpg_key()),
    "GET /user/gpg_keys/:key_id": lambda api: me(api).gpgkeys.get(me(owner).gpgkeys.create(new_gpg_key()).id),
    "DELETE /user/gpg_keys/:key_id": lambda api: me(api).gpgkeys.delete(me(owner).gpgkeys.create(new_gpg_key()).id),
    "GET /users/:id/gpg_keys": lambda api: user(api).gpgkeys.list(),
    "GET /users/:id/gpg_keys/:key_id": lambda api: user(api).gpgkeys.get(
        user(admin).gpgkeys.create(new_gpg_key()).id
    ),
    "GET /user/emails": lambda api: me(api).emails.list(),
    "POST /user/emails": lambda api: me(api).emails.create(new_email()),
    "GET /user/emails/:email_id": lambda api: me(api).emails.get(me(owner).emails.create(new_email()).id),
    "DELETE /user/emails/:email_id": lambda api: me(api).emails.delete(me(owner).emails.create(new_email()).id),
    "GET /user/status": lambda api: me(api).status.get(),
    "PUT /user/status": lambda api: me(api).status.update(new_data={"message": "At lunch"}),
    "GET /personal_access_tokens": lambda api: api.personal_access_tokens.list(),
    "DELETE /personal_access_tokens/:id": lambda api: api.personal_access_tokens.delete(
        user(admin, owner_id).personal_access_tokens.create(new_token).id
    ),
    **template_calls("gitignores", "Node", lambda api: api.gitignores),
    **template_calls("gitlab_ci_ymls", "Bash", lambda api: api.gitlabciymls),
    **template_calls("dockerfiles", "Node", lambda api: api.dockerfiles),
    **template_calls("licenses", "mit", lambda api: api.licenses),
    "GET /topics": lambda api: api.topics.list(),
    "GET /topics/:id": lambda api: api.topics.get(new_topic()),
    "GET /broadcast_messages": lambda api: api.broadcastmessages.list(),
    "GET /broadcast_messages/:id": lambda api: api.broadcastmessages.get(new_message()),
    "GET /search": lambda api: api.search("projects", "web"),
    "GET /issues": lambda api: api.issues.list(scope="all"),
    "GET /merge_requests": lambda api: api.mergerequests.list(scope="all"),
}

# Administrators may make these calls.
of_administrators = {
    "GET /projects/:id/snippets/:snippet_id/user_agent_detail": lambda api: snippet(api).user_agent_detail(),
    "GET /issues/:id": lambda api: api.issues.get(issue_id),
    "POST /topics": lambda api: api.topics.create({"name": unique("topic"), "title": "Topic"}),
    "PUT /topics/:id": lambda api: api.topics.update(new_topic(), {"title": "Other"}),
    "DELETE /topics/:id": lambda api: api.topics.delete(new_topic()),
    "POST /topics/merge": lambda api: api.topics.merge(new_topic(), new_topic()),
    "POST /broadcast_messages": lambda api: api.broadcastmessages.create({"message": "Hello"}),
    "PUT /broadcast_messages/:id": lambda api: api.broadcastmessages.update(new_message(), {"message": "Bye"}),
    "DELETE /broadcast_messages/:id": lambda api: api.broadcastmessages.delete(new_message()),
    "GET /features": lambda api: api.features.list(),
    "POST /features/:name": lambda api: api.features.set("new_pages", 30),
    "DELETE /features/:name": lambda api: api.features.delete(new_feature()),
    "GET /application/appearance": lambda api: api.appearance.get(),
    "PUT /application/appearance": lambda api: api.appearance.update(new_data={"title": "Forge"}),
    "GET /application/statistics": lambda api: api.statistics.get(),
    "GET /license": lambda api: api.get_license(),
    "GET /projects/:id/storage": lambda api: project(api).storage.get(),
    "GET /user/activities": lambda api: api.user_activities.list(),
    "GET /users/:id/memberships": lambda api: user(api).memberships.list(),
    "GET /deploy_keys": lambda api: api.deploykeys.list(),
    "POST /projects/user/:user_id": lambda api: user(api, new_user()).projects.create({"name": "Project"}),
    "POST /users": lambda api: api.users.create(new_account()),
    "PUT /users/:id": lambda api: api.users.update(new_user(), new_account()),
    "DELETE /users/:id": lambda api: api.users.delete(new_user()),
    "POST /users/:id/block": lambda api: user(api, new_user()).block(),
    "POST /users/:id/unblock": lambda api: user(api, user_after("block")).unblock(),
    "POST /users/:id/ban": lambda api: user(api, new_user()).ban(),
    "POST /users/:id/unban": lambda api: user(api, user_after("ban")).unban(),
    "POST /users/:id/deactivate": lambda api: user(api, new_user()).deactivate(),
    "POST /users/:id/activate": lambda api: user(api, user_after("deactivate")).activate(),
    "POST /users/:id/keys": lambda api: user(api, new_user()).keys.create(new_public_key()),
    "DELETE /users/:id/keys/:key_id": lambda api: remove_child(api, "keys", new_public_key()),
    "POST /users/:id/gpg_keys": lambda api: user(api, new_user()).gpgkeys.create(new_gpg_key()),
    "DELETE /users/:id/gpg_keys/:key_id": lambda api: remove_child(api, "gpgkeys", new_gpg_key()),
    "GET /users/:id/emails": lambda api: user(api, new_user()).emails.list(),
    "POST /users/:id/emails": lambda api: user(api, new_user()).emails.create(new_email()),
    "GET /users/:id/emails/:email_id": lambda api: user(api, owner_id).emails.get(me(owner).emails.create(new_email()).id),
    "DELETE /users/:id/identities/:provider": lambda api: user(api, int(linked_user)).identityproviders.delete("crm"),
    "DELETE /users/:id/emails/:email_id": lambda api: remove_child(api, "emails", new_email()),
    "GET /users/:user_id/impersonation_tokens": lambda api: user(api).impersonationtokens.list(),
    "POST /users/:user_id/impersonation_tokens": lambda api: user(api).impersonationtokens.create(new_token),
    "GET /users/:user_id/impersonation_tokens/:token_id": lambda api: impersonation_token(api),
    "DELETE /users/:user_id/impersonation_tokens/:token_id": lambda api: remove_child(
        api, "impersonationtokens", new_token
    ),
    "POST /users/:user_id/personal_access_tokens": lambda api: user(api).personal_access_tokens.create(new_token),
    "GET /admin/ci/variables": lambda api: api.variables.list(),
    "POST /admin/ci/variables": lambda api: api.variables.create(new_variable()),
    "GET /admin/ci/variables/:key": lambda api: api.variables.get(variable(admin)),
    "PUT /admin/ci/variables/:key": lambda api: api.variables.update(variable(admin), {"value": "y"}),
    "DELETE /admin/ci/variables/:key": lambda api: api.variables.delete(variable(admin)),
    "GET /deploy_tokens": lambda api: api.deploytokens.list(),
    "GET /applications": lambda api: api.applications.list(),
    "POST /applications": lambda api: api.applications.create(new_application),
    "DELETE /applications/:id": lambda api: api.applications.delete(admin.applications.create(new_application).id),
    "GET /hooks": lambda api: api.hooks.list(),
    "POST /hooks": lambda api: api.hooks.create({"url": hook_url}),
    "GET /hooks/:hook_id": lambda api: api.hooks.get(new_hook(admin)),
    "DELETE /hooks/:hook_id": lambda api: api.hooks.delete(new_hook(admin)),
    "GET /geo_nodes/:id/status": lambda api: api.geonodes.get(int(node), lazy=True).status(),
}


def attempt(line, call, permitted, refused):
    try:
        call(permitted)
    except Exception:
        failures.append(f"{line}: {traceback.format_exc(limit=4)}")
    try:
        call(refused)
        failures.append(f"{line}: is not refused")
    except gitlab.GitlabError as error:
        if error.response_code not in (401, 403, 404):
            failures.append(f"{line}: is refused with {error.response_code} {error}")
    except Exception:
        failures.append(f"{line}: {traceback.format_exc(limit=4)}")


groups = ((of_owners, owner, outsider), (of_users, owner, nobody), (of_administrators, admin, owner))
for calls, permitted, refused in groups:
    for line, call in calls.items():
        attempt(line, call, permitted, refused)

print(json.dumps({"routes": [line for calls, _, _ in groups for line in calls], "failures": failures}))
