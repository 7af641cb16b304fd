"""Drives the client that openapi-generator makes for Python."""

import os
import time

import muniment_client as m
from muniment_client.exceptions import ApiException

env = os.environ


def until(look):
    for _ in range(1200):
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError


config = m.Configuration(host=env["BASE_URL"])
with m.ApiClient(config) as client:
    config.access_token = m.AuthApi(client).log_in(env["EMAIL"], env["PASSWORD"]).access_token
    orgs = m.OrganizationsApi(client)
    oid = next(org.id for org in orgs.list_orgs().items if org.default)
    orgs.set_webhook_urls(oid, m.OrgWebhookUrls(crawl_finished=env["RECEIVER"]))

    seeds = [m.Seed(url="https://example.com/")]
    workflow = m.CrawlConfigIn(name="Python", config=m.RawCrawlConfigInput(seeds=seeds), run_now=True)
    crawl = m.CrawlconfigsApi(client).create_workflow(oid, workflow).run_now_job
    crawls = m.CrawlsApi(client)
    until(lambda: crawls.get_crawl(crawl, oid).state == "complete")
    assert m.AllCrawlsApi(client).download_item(crawl, oid)[:2] == b"PK"

    with open(env["WACZ"], "rb") as file:
        upload = m.UploadsApi(client).upload_stream(oid, "python.wacz", file.read())
    assert m.UploadsApi(client).get_upload(upload.id, oid).type == "upload"

    told = m.WebhooksApi(client)
    until(lambda: any(one.success for one in told.list_webhook_notifications(oid, event="crawlFinished").items))

    try:
        crawls.get_crawl("none-such", oid)
    except ApiException as error:
        assert error.status in (404, 422) and error.data.detail, error
    else:
        raise AssertionError("an unknown crawl was found")
print("driven")
