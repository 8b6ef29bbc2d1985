"""Contributes from a fork with python-gitlab. Prints what the server answered as JSON."""

import json
import sys

import gitlab

url, contributor_token, maintainer_token, target_id, fork_id = sys.argv[1:]
contributor = gitlab.Gitlab(url, private_token=contributor_token)
maintainer = gitlab.Gitlab(url, private_token=maintainer_token)
target = maintainer.projects.get(int(target_id))
fork = contributor.projects.get(int(fork_id))

second = contributor.projects.get(target.id).forks.create({"name": "Second", "path": "second"})
forks = sorted(each.path_with_namespace for each in target.forks.list(get_all=True))

opened = fork.mergerequests.create(
    {
        "source_branch": "topic",
        "target_branch": "main",
        "title": "Add a file",
        "target_project_id": target.id,
    }
)
merge_request = target.mergerequests.get(opened.iid)


def numbers(source):
    return [each.iid for each in target.mergerequests.list(source_project_id=source, get_all=True)]


listed = {"fork": numbers(fork.id), "target": numbers(target.id)}
merge_request.notes.create({"body": "Thanks"})
notes = [note.body for note in merge_request.notes.list(get_all=True) if not note.system]
changes = [change["new_path"] for change in merge_request.changes()["changes"]]
merge_request.approve()
approved = merge_request.approvals.get().approved

refused = []
for token in ("", contributor_token):
    try:
        client = gitlab.Gitlab(url, private_token=token or None)
        client.projects.get(target.id, lazy=True).mergerequests.get(opened.iid).merge()
    except gitlab.GitlabError as error:
        refused.append(error.response_code)

merge_request.merge()
state = target.mergerequests.get(opened.iid).state

own = contributor.projects.get(second.id)
own.delete_fork_relation()
relation = getattr(contributor.projects.get(second.id), "forked_from_project", None)
own.create_fork_relation(target.id)
again = contributor.projects.get(second.id).forked_from_project["id"]

print(
    json.dumps(
        {
            "fork": second.path_with_namespace,
            "forks": forks,
            "opened": {"project": opened.project_id, "source": opened.source_project_id, "sha": opened.sha},
            "listed": listed,
            "notes": notes,
            "changes": changes,
            "approved": approved,
            "refused": refused,
            "state": state,
            "relation": relation,
            "again": again,
        }
    )
)
