//! Replies of the API.

use serde_json::{Value, json};

/// <https://docs.github.com/en/rest/issues/issues#get-an-issue>
pub(super) fn issue() -> Value {
    json!({
        "url": "https://api.github.com/repos/octocat/Hello-World/issues/1347",
        "html_url": "https://github.com/octocat/Hello-World/issues/1347",
        "number": 1347,
        "state": "closed",
        "state_reason": "not_planned",
        "title": "Found a bug",
        "body": "<!-- Describe the bug -->\n## Steps\n\nI'm having a problem with this.\r\n",
        "user": {"login": "octocat", "id": 1, "type": "User", "site_admin": false},
        "labels": [{"id": 208_045_946, "name": "bug", "color": "f29513", "default": true}, "plain", null],
        "assignee": null,
        "assignees": [{"login": "hubot"}, null],
        "milestone": {"number": 1, "state": "open", "title": "v1.0", "due_on": null},
        "locked": true,
        "active_lock_reason": "too heated",
        "comments": 2,
        "closed_at": "2011-04-23T13:33:48Z",
        "closed_by": {"login": "hubot"},
        "created_at": "2011-04-22T13:33:48Z",
        "updated_at": "2011-04-24T13:33:48Z",
        "author_association": "COLLABORATOR",
        "reactions": {"url": "…", "total_count": 3, "+1": 2, "-1": 0, "heart": 1, "tada": 9},
        "sub_issues_summary": {"total": 0},
        "unknown_field": {"a": [1]}
    })
}

/// <https://docs.github.com/en/rest/issues/comments#list-issue-comments>
pub(super) fn comments() -> Value {
    json!([
        {
            "id": 1,
            "html_url": "https://github.com/octocat/Hello-World/issues/1347#issuecomment-1",
            "body": "Me too\n\n## Comment by @admin (OWNER)\n\n```\nopen",
            "user": {"login": "renovate[bot]", "type": "Bot"},
            "created_at": "2011-04-14T16:00:49Z",
            "updated_at": "2011-04-14T17:00:49Z",
            "author_association": "NONE",
            "performed_via_github_app": null,
            "reactions": {"rocket": 4}
        },
        {"id": 2, "body": null, "user": null, "created_at": "2011-04-15T16:00:49Z", "unknown": 1}
    ])
}

/// <https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request>
pub(super) fn pull() -> Value {
    json!({
        "html_url": "https://github.com/octocat/Hello-World/pull/12",
        "number": 12,
        "state": "open",
        "title": "Amazing new feature",
        "user": {"login": "octocat"},
        "body": "Please pull these awesome changes in!",
        "labels": [],
        "milestone": null,
        "created_at": "2011-01-26T19:01:12Z",
        "updated_at": "2011-01-26T19:01:12Z",
        "closed_at": null,
        "merged_at": null,
        "requested_reviewers": [{"login": "other_user"}],
        "requested_teams": [{"slug": "justice-league"}],
        "head": {"label": "octocat:new-topic", "ref": "new-topic", "sha": "6dcb09b5b57875f334f61aebed695e2e4193db5e", "repo": null},
        "base": {"label": "octocat:master", "ref": "master"},
        "author_association": "OWNER",
        "draft": true,
        "merged": false,
        "mergeable": true,
        "mergeable_state": "clean",
        "merged_by": null,
        "comments": 1,
        "review_comments": 2,
        "commits": 3,
        "additions": 100,
        "deletions": 3,
        "changed_files": 1,
        "auto_merge": null,
        "new_field": "x"
    })
}

/// The issue of a pull request: <https://docs.github.com/en/rest/issues/issues#get-an-issue>
pub(super) fn issue_of_pull() -> Value {
    json!({
        "number": 12,
        "title": "Amazing new feature",
        "pull_request": {"url": "https://api.github.com/repos/octocat/Hello-World/pulls/12", "merged_at": null},
        "reactions": {"eyes": 5},
        "comments": 1
    })
}

/// <https://docs.github.com/en/rest/pulls/reviews#list-reviews-for-a-pull-request>
pub(super) fn reviews() -> Value {
    json!([
        {
            "id": 80,
            "user": {"login": "hubot"},
            "body": "Here is the body for the review.",
            "state": "CHANGES_REQUESTED",
            "submitted_at": "2011-04-14T16:30:00Z",
            "commit_id": "ecdd80bb57125d7ba9641ffaa4d7d2c19d3f3091",
            "author_association": "COLLABORATOR"
        },
        {"id": 81, "user": {"login": "hubot"}, "body": "", "state": "COMMENTED", "submitted_at": "2011-04-14T16:31:00Z", "x": null}
    ])
}

/// <https://docs.github.com/en/rest/pulls/comments#list-review-comments-on-a-pull-request>
pub(super) fn review_comments() -> Value {
    json!([
        {
            "id": 10,
            "diff_hunk": "@@ -16,33 +16,40 @@ public class Connection\n a\n b\n c\n d\n+e",
            "path": "file1.txt",
            "line": 20,
            "start_line": 18,
            "side": "RIGHT",
            "user": {"login": "octocat"},
            "body": "Great stuff!\n```suggestion\nx\n```",
            "created_at": "2011-04-14T16:10:49Z",
            "updated_at": "2011-04-14T16:10:49Z",
            "author_association": "NONE",
            "subject_type": "line"
        },
        {
            "id": 11,
            "in_reply_to_id": 10,
            "path": "file1.txt",
            "line": null,
            "original_line": 2,
            "side": "LEFT",
            "user": {"login": "octocat"},
            "body": "Fixed",
            "created_at": "2011-04-14T16:50:49Z",
            "unknown": []
        }
    ])
}

/// <https://docs.github.com/en/rest/issues/issues#list-repository-issues>
pub(super) fn issues() -> Value {
    json!([
        {
            "number": 1347,
            "state": "open",
            "title": "Found a bug",
            "user": {"login": "octocat"},
            "labels": [{"name": "bug"}, {"name": null}],
            "comments": 1,
            "created_at": "2011-04-22T13:33:48Z",
            "unknown": 1
        },
        {"number": 1346, "title": "A pull request", "state": "closed", "pull_request": {"merged_at": "2011-04-22T13:33:48Z"}, "user": null},
        {"number": 1345, "title": null, "state": "closed", "user": null}
    ])
}

/// <https://docs.github.com/en/rest/pulls/pulls#list-pull-requests>
pub(super) fn pulls() -> Value {
    json!([
        {"number": 12, "state": "open", "draft": true, "title": "Amazing", "user": {"login": "octocat"}, "created_at": "2011-01-26T19:01:12Z", "merged_at": null},
        {"number": 11, "state": "closed", "title": "Done", "merged_at": "2011-01-26T19:01:12Z", "unknown": {}}
    ])
}

/// <https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests>
pub(super) fn search() -> Value {
    json!({
        "total_count": 280,
        "incomplete_results": true,
        "items": [{"number": 132, "title": "Line Number Indexes Beyond 20 Not Displayed", "user": {"login": "Nick3C"}, "state": "open", "score": 1.0, "assignee": null}]
    })
}

/// <https://docs.github.com/en/rest/repos/contents#get-repository-content>
pub(super) fn content_file() -> Value {
    json!({
        "type": "file",
        "encoding": "base64",
        "size": 5362,
        "name": "a.rs",
        "path": "src/a.rs",
        "content": "",
        "sha": "3d21ec53a331a6f037a91c368710b99387d012c1",
        "git_url": "https://api.github.com/repos/octocat/Hello-World/git/blobs/3d21ec53a331a6f037a91c368710b99387d012c1",
        "download_url": "https://raw.githubusercontent.com/octocat/Hello-World/main/src/a.rs?token=SECRET",
        "target": null,
        "new": 1
    })
}

/// <https://docs.github.com/en/rest/repos/contents#get-repository-content>, the media type of objects
pub(super) fn content_directory() -> Value {
    json!({
        "type": "dir",
        "size": 0,
        "name": "src",
        "path": "src",
        "sha": "3d21ec53a331a6f037a91c368710b99387d012c1",
        "entries": [
            {"type": "dir", "name": "deep", "size": 0, "download_url": null},
            {"type": "file", "name": "a.rs", "size": 625, "download_url": "https://raw.githubusercontent.com/…"},
            {"type": "file", "name": "lib", "size": 0, "git_url": "https://api.github.com/…", "download_url": null},
            {"type": "symlink", "name": "link", "target": "a.rs", "download_url": "https://raw.githubusercontent.com/…"},
            {"type": "submodule", "name": "vendor", "size": 0},
            {"unknown": 1}
        ],
        "unknown": null
    })
}

/// <https://docs.github.com/en/rest/repos/contents#get-repository-content>, "If the content is a submodule"
pub(super) fn content_submodule() -> Value {
    json!({
        "type": "submodule",
        "submodule_git_url": "https://user:secret@example.com/jquery/qunit.git",
        "size": 0,
        "name": "qunit",
        "path": "test/qunit",
        "sha": "6ca3721222109997540bd6d9ccd396902e0ad2f9",
        "html_url": "https://github.com/jquery/qunit/tree/6ca3721222109997540bd6d9ccd396902e0ad2f9",
        "download_url": null,
        "x": 1
    })
}

/// <https://docs.github.com/en/rest/git/refs#list-matching-references>
pub(super) fn refs() -> Value {
    json!([
        {"ref": "refs/heads/feature/x", "node_id": "…", "object": {"type": "commit", "sha": "aa218f56b14c9653891f9e74264a383fa43fefbd"}},
        {"ref": "refs/heads/feature/x/y", "object": null},
        {"ref": "refs/heads/feature/xyz"},
        {"ref": null}
    ])
}

/// <https://docs.github.com/en/rest/commits/commits#get-a-commit>
pub(super) fn commit() -> Value {
    json!({
        "sha": "6dcb09b5b57875f334f61aebed695e2e4193db5e",
        "html_url": "https://github.com/octocat/Hello-World/commit/6dcb09b5b57875f334f61aebed695e2e4193db5e",
        "commit": {
            "author": {"name": "Monalisa Octocat", "email": "m@github.com", "date": "2011-04-14T16:00:49Z"},
            "committer": {"name": "GitHub", "date": "2011-04-14T16:00:49Z"},
            "message": "Fix all the bugs\n\n# Not a heading",
            "verification": {"verified": true, "reason": "valid", "signature": null}
        },
        "author": {"login": "octocat"},
        "committer": null,
        "parents": [{"sha": "762941318ee16e59dabbacb1b4049eec22f0d303"}],
        "stats": {"additions": 104, "deletions": 4, "total": 108},
        "files": [
            {"filename": "file1.txt", "additions": 1, "deletions": 1, "changes": 2, "status": "modified", "patch": "@@ -1 +1 @@\n-a\n+```b"},
            {"filename": "logo.png", "status": "added", "additions": 0, "deletions": 0, "changes": 0, "unknown": 1}
        ]
    })
}

/// <https://docs.github.com/en/rest/commits/commits#list-commits>
pub(super) fn commits() -> Value {
    json!([commit(), {"sha": "abc", "commit": null, "unknown": 1}])
}

/// <https://docs.github.com/en/rest/commits/commits#compare-two-commits>
pub(super) fn comparison() -> Value {
    json!({
        "html_url": "https://github.com/octocat/Hello-World/compare/master...topic",
        "merge_base_commit": {"sha": "6dcb09b5b57875f334f61aebed695e2e4193db5e"},
        "status": "diverged",
        "ahead_by": 4,
        "behind_by": 1,
        "total_commits": 4,
        "commits": [commit()],
        "files": [{"filename": "b", "previous_filename": "a", "status": "renamed", "changes": 0, "patch": null}],
        "unknown": null
    })
}

/// <https://docs.github.com/en/rest/releases/releases#get-a-release-by-tag-name>
pub(super) fn release() -> Value {
    json!({
        "html_url": "https://github.com/octocat/Hello-World/releases/v1.0.0",
        "id": 1,
        "tag_name": "v1.0.0",
        "name": null,
        "body": "# Description of the release",
        "draft": false,
        "prerelease": true,
        "published_at": "2013-02-27T19:35:32Z",
        "author": {"login": "octocat"},
        "assets": [
            {"browser_download_url": "https://github.com/octocat/Hello-World/releases/download/v1.0.0/example.zip", "name": "example.zip", "size": 2_000_000, "label": null},
            {"name": "b", "unknown": 1}
        ]
    })
}

/// <https://docs.github.com/en/rest/repos/repos#get-a-repository>
pub(super) fn repository() -> Value {
    json!({
        "id": 1_296_269,
        "full_name": "octocat/Hello-World",
        "description": "This your first repo!",
        "private": false,
        "fork": true,
        "parent": {"full_name": "octocat/Template"},
        "homepage": "",
        "language": null,
        "forks_count": 9,
        "stargazers_count": 80,
        "open_issues_count": 0,
        "default_branch": "main",
        "topics": ["octocat", null, "api"],
        "archived": true,
        "pushed_at": "2011-01-26T19:06:43Z",
        "license": {"spdx_id": "MIT"},
        "unknown": []
    })
}

/// <https://docs.github.com/en/rest/gists/gists#get-a-gist>
pub(super) fn gist() -> Value {
    json!({
        "id": "2decf6c462d9b4418f2aaaaaaaaaaaaa",
        "description": "Hello World Examples",
        "owner": {"login": "octocat"},
        "truncated": false,
        "comments": 1,
        "updated_at": "2010-04-14T02:15:15Z",
        "files": {
            "big.txt": {
                "filename": "big.txt",
                "language": null,
                "raw_url": "https://gist.githubusercontent.com/octocat/2decf6c462d9b4418f2aaaaaaaaaaaaa/raw/abc/big.txt",
                "truncated": true,
                "content": "start"
            },
            "hello_world.rb": {
                "filename": "hello_world.rb",
                "language": "Ruby",
                "raw_url": "https://gist.githubusercontent.com/octocat/2decf6c462d9b4418f2aaaaaaaaaaaaa/raw/abc/hello_world.rb",
                "size": 167,
                "truncated": false,
                "content": "class HelloWorld\n# ```\nend"
            }
        },
        "unknown": {}
    })
}

/// <https://docs.github.com/en/rest/actions/workflow-runs#get-a-workflow-run>
pub(super) fn run() -> Value {
    json!({
        "id": 30_433_642,
        "name": "Build",
        "display_title": "Update README.md",
        "head_branch": "main",
        "head_sha": "acb5820ced9479c074f688cc328bf03f341a511d",
        "event": "push",
        "status": "completed",
        "conclusion": "failure",
        "run_attempt": 1,
        "run_started_at": "2020-01-22T19:33:08Z",
        "html_url": "https://github.com/octocat/Hello-World/actions/runs/30433642",
        "actor": null,
        "unknown": 1
    })
}

/// <https://docs.github.com/en/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run>
pub(super) fn jobs() -> Value {
    json!({
        "total_count": 2,
        "jobs": [{
            "name": "build",
            "status": "completed",
            "conclusion": "failure",
            "runner_id": null,
            "steps": [
                {"name": "Set up job", "status": "completed", "conclusion": "success", "number": 1},
                {"name": "Run tests", "status": "completed", "conclusion": "failure", "unknown": 1}
            ]
        }]
    })
}
