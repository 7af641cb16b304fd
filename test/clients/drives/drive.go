// Drives the client that openapi-generator makes for Go.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/oauth2"

	muniment "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func until(look func() bool) {
	for round := 0; round < 1200; round++ {
		if look() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	panic("waited in vain")
}

func main() {
	config := muniment.NewConfiguration()
	config.Servers = muniment.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	api := muniment.NewAPIClient(config)
	ctx := context.Background()
	login, _, err := api.AuthAPI.LogIn(ctx).Username(os.Getenv("EMAIL")).Password(os.Getenv("PASSWORD")).Execute()
	must(err)
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: login.AccessToken})
	ctx = context.WithValue(ctx, muniment.ContextOAuth2, source)

	orgs, _, err := api.OrganizationsAPI.ListOrgs(ctx).Execute()
	must(err)
	oid := ""
	for _, org := range orgs.Items {
		if org.GetDefault() {
			oid = org.Id
		}
	}
	urls := muniment.NewOrgWebhookUrls()
	urls.SetCrawlFinished(os.Getenv("RECEIVER"))
	_, _, err = api.OrganizationsAPI.SetWebhookUrls(ctx, oid).OrgWebhookUrls(*urls).Execute()
	must(err)

	crawl := muniment.NewRawCrawlConfigInput()
	crawl.SetSeeds([]muniment.Seed{*muniment.NewSeed("https://example.com/")})
	workflow := muniment.NewCrawlConfigIn(*crawl, "Go")
	workflow.SetRunNow(true)
	made, _, err := api.CrawlconfigsAPI.CreateWorkflow(ctx, oid).CrawlConfigIn(*workflow).Execute()
	must(err)
	id := made.GetRunNowJob()
	until(func() bool {
		seen, _, err := api.CrawlsAPI.GetCrawl(ctx, id, oid).Execute()
		must(err)
		return seen.State == "complete"
	})
	wacz, _, err := api.AllCrawlsAPI.DownloadItem(ctx, id, oid).Execute()
	must(err)
	head := make([]byte, 2)
	_, err = wacz.Read(head)
	must(err)
	if string(head) != "PK" {
		panic("no WACZ")
	}

	file, err := os.Open(os.Getenv("WACZ"))
	must(err)
	upload, _, err := api.UploadsAPI.UploadStream(ctx, oid).Filename("go.wacz").Body(file).Execute()
	must(err)
	kept, _, err := api.UploadsAPI.GetUpload(ctx, upload.Id, oid).Execute()
	must(err)
	if kept.Type != "upload" {
		panic("no upload")
	}

	until(func() bool {
		told, _, err := api.WebhooksAPI.ListWebhookNotifications(ctx, oid).Event("crawlFinished").Execute()
		must(err)
		for _, one := range told.Items {
			if one.GetSuccess() {
				return true
			}
		}
		return false
	})
	fmt.Println("driven")
}
