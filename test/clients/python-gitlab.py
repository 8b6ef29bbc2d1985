"""Typical calls of python-gitlab. Prints one line of JSON with the failed steps."""

import json
import sys
import traceback

import gitlab

url, alice, root, mallory, snippet = sys.argv[1:6]
api = gitlab.Gitlab(url, private_token=alice)
admin = gitlab.Gitlab(url, private_token=root)
failures = []
steps = 0


def step(name):
    def run(work):
        global steps
        steps += 1
        try:
            work()
        except Exception:
            failures.append(name + ": " + traceback.format_exc(limit=3))

    return run


def check(condition):
    if not condition:
        raise AssertionError("not as expected")


project = api.projects.get("acme/web")
group = api.groups.get("acme")


@step("current user")
def _():
    api.auth()
    check(api.user.username == "alice")
    check(api.version()[0] != "unknown")


@step("labels of a project")
def _():
    label = project.labels.create({"name": "bug fix", "color": "#FF0000", "priority": 2})
    label.description = "described"
    label.save()
    check(project.labels.get("bug fix").description == "described")
    label.subscribe()
    label.unsubscribe()
    check("bug fix" in [one.name for one in project.labels.list(iterator=True, per_page=1)])
    label.promote()
    check("bug fix" in [one.name for one in project.labels.list(get_all=True)])


@step("notes on an issue")
def _():
    issue = project.issues.get(1)
    note = issue.notes.create({"body": "A note"})
    note.body = "Another"
    note.save()
    check(issue.notes.get(note.id).body == "Another")
    check(len(issue.notes.list(get_all=True)) > 0)
    note.delete()


@step("notes and discussions on a merge request")
def _():
    merge_request = project.mergerequests.get(1)
    note = merge_request.notes.create({"body": "A note"})
    note.delete()
    discussion = merge_request.discussions.create({"body": "Why?"})
    discussion.notes.create({"body": "Because"})
    discussion.resolved = True
    discussion.save()
    check(len(merge_request.discussions.get(discussion.id).attributes["notes"]) == 2)
    check(merge_request.commits() is not None)
    check("changes" in merge_request.changes())
    merge_request.approve()
    check(merge_request.approvals.get().approved)


@step("notes on a snippet")
def _():
    notes = project.snippets.get(int(snippet), lazy=True).notes
    note = notes.create({"body": "Nice"})
    check(notes.get(note.id).body == "Nice")
    note.delete()


@step("members")
def _():
    user = admin.users.list(username="mallory")[0]
    member = project.members.create({"user_id": user.id, "access_level": 30})
    member.access_level = 20
    member.save()
    check(project.members_all.get(user.id).access_level == 20)
    check(len(project.members_all.list(get_all=True)) > 3)
    member.delete()
    member = group.members.create({"user_id": user.id, "access_level": 10})
    member.delete()


@step("access requests")
def _():
    stranger = gitlab.Gitlab(url, private_token=mallory).projects.get("acme/web")
    request = stranger.accessrequests.create({})
    check([one.username for one in project.accessrequests.list()] == ["mallory"])
    project.accessrequests.list()[0].approve(access_level=20)
    project.members.delete(request.id)
    stranger.accessrequests.create({})
    project.accessrequests.delete(request.id)


@step("environments")
def _():
    environment = project.environments.create({"name": "review/1", "external_url": "https://example.com"})
    environment.external_url = "https://example.org"
    environment.save()
    environment.stop()
    environment.delete()


@step("protected environments")
def _():
    protection = project.protected_environments.create({"name": "production", "deploy_access_levels": [{"access_level": 40}]})
    check(len(project.protected_environments.list()) == 1)
    protection.delete()


@step("repository")
def _():
    tree = project.repository_tree(recursive=True, get_all=True)
    blob = [one for one in tree if one["path"] == "README.md"][0]
    check(b"Web" in project.repository_raw_blob(blob["id"]))
    check(project.repository_blob(blob["id"])["encoding"] == "base64")
    check(len(project.repository_compare("v0.1.0", "main")["commits"]) > 0)
    check(len(project.repository_contributors()) == 3)
    check(len(project.repository_archive()) > 100)
    check(project.repository_merge_base(["v0.1.0", "main"])["id"])
    check(b"Web" in project.files.raw("README.md", ref="main"))
    check(project.files.get("README.md", ref="main").decode().startswith(b"# Web"))


@step("releases")
def _():
    file = project.upload("notes.txt", filedata="Notes")
    release = project.releases.create({"tag_name": "v1.0.0", "ref": "main", "name": "One", "description": file["markdown"]})
    link = release.links.create({"name": "Site", "url": "https://example.com"})
    link.delete()
    release.description = "Other"
    release.save()
    check(project.releases.get("v1.0.0").description == "Other")
    project.releases.delete("v1.0.0")


@step("remote mirrors")
def _():
    mirror = project.remote_mirrors.create({"url": "https://user:secret@mirror.example.com/web.git", "enabled": False})
    mirror.only_protected_branches = True
    mirror.save()
    check("secret" not in json.dumps([one.attributes for one in project.remote_mirrors.list()]))


@step("registry")
def _():
    check(project.repositories.list() is not None)


@step("todos, events, notification settings, snippets")
def _():
    api.todos.list()
    api.todos.mark_all_as_done()
    api.events.list()
    project.events.list()
    settings = api.notificationsettings.get()
    settings.level = "watch"
    settings.save()
    project.notificationsettings.get()
    group.notificationsettings.get()
    snippet = api.snippets.create({"title": "Mine", "file_name": "a", "content": "x", "visibility": "private"})
    check(snippet.content() == b"x")
    snippet.delete()
    api.snippets.list()


@step("groups")
def _():
    check(len(api.groups.list(get_all=True)) > 0)
    check(len(group.projects.list(get_all=True)) > 0)
    check(len(group.projects.list(include_subgroups=True, get_all=True)) > 1)


@step("statistics of issues")
def _():
    check("counts" in api.issues_statistics.get().statistics)
    check("counts" in project.issues_statistics.get(iids=[1, 2], confidential=False).statistics)
    check("counts" in group.issues_statistics.get().statistics)


@step("markdown")
def _():
    check("<strong>" in api.markdown("**bold**", gfm=True, project="acme/web"))


@step("administration")
def _():
    settings = admin.settings.get()
    settings.max_attachment_size = 12
    settings.save()
    user = admin.users.list(username="bob")[0]
    user.customattributes.set("team", "blue")
    check(user.customattributes.get("team").value == "blue")
    user.customattributes.delete("team")
    admin.geonodes.list()
    admin.pagesdomains.list()


print(json.dumps({"version": gitlab.__version__, "steps": steps, "failures": failures}))
