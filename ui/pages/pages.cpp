// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/pages.h"

#include "ui/pages/ablation_page.h"
#include "ui/pages/channels_page.h"
#include "ui/pages/evaluate_page.h"
#include "ui/pages/export_page.h"
#include "ui/pages/generate_page.h"
#include "ui/pages/overview_page.h"
#include "ui/pages/patch_page.h"
#include "ui/pages/repair_page.h"
#include "ui/pages/selection_page.h"
#include "ui/pages/similarity_page.h"
#include "ui/pages/tokens_page.h"

namespace suture {

std::vector<Page*> make_pages(Session& session, Results& results) {
    return {new OverviewPage(session, results), new SimilarityPage(session, results), new SelectionPage(session, results),
            new ChannelsPage(session, results), new TokensPage(session, results),     new PatchPage(session, results),
            new RepairPage(session, results),   new EvaluatePage(session, results),   new AblationPage(session, results),
            new GeneratePage(session, results), new ExportPage(session, results)};
}

}  // namespace suture
