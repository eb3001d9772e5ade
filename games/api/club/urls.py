"""The addresses of a club in the API, under /api/clubs/."""

from django.urls import URLPattern, path

from games.api.club import figures, people, seasons

SEASON = "<slug:slug>/seasons/<int:number>/"

urlpatterns: list[URLPattern] = [
    path("", people.ClubsView.as_view(), name="clubs"),
    path("join/", people.JoinView.as_view(), name="club_join"),
    path("<slug:slug>/", people.ClubView.as_view(), name="club"),
    path("<slug:slug>/links/", people.LinksView.as_view(), name="club_links"),
    path("<slug:slug>/links/<slug:role>/replace/", people.LinkView.as_view(), name="club_link"),
    path("<slug:slug>/leave/", people.LeaveView.as_view(), name="club_leave"),
    path("<slug:slug>/members/", people.MembersView.as_view(), name="club_members"),
    path("<slug:slug>/members/<int:number>/", people.MemberView.as_view(), name="club_member"),
    path(
        "<slug:slug>/members/<int:number>/account/",
        people.MemberAccountView.as_view(),
        name="club_member_account",
    ),
    path("<slug:slug>/members/<int:number>/merge/", people.MergeView.as_view(), name="club_member_merge"),
    path("<slug:slug>/members/<int:number>/figures/", figures.FiguresView.as_view(), name="club_figures"),
    path(
        "<slug:slug>/members/<int:number>/against/<int:other>/",
        figures.AgainstView.as_view(),
        name="club_against",
    ),
    path("<slug:slug>/records/", figures.RecordsView.as_view(), name="club_records"),
    path("<slug:slug>/log/", people.ClubLogView.as_view(), name="club_log"),
    path("<slug:slug>/seasons/", seasons.SeasonsView.as_view(), name="club_seasons"),
    path(SEASON, seasons.SeasonView.as_view(), name="club_season"),
    path(f"{SEASON}scheme/", seasons.SchemeView.as_view(), name="club_scheme"),
    path(f"{SEASON}scheme/preview/", seasons.SchemePreviewView.as_view(), name="club_scheme_preview"),
    path(f"{SEASON}standings/", seasons.StandingsView.as_view(), name="club_standings"),
    path(f"{SEASON}nights/", seasons.NightsView.as_view(), name="club_nights"),
    path(f"{SEASON}nights/<slug:day>/", seasons.NightView.as_view(), name="club_night"),
    path("<slug:slug>/games/", seasons.ClubGamesView.as_view(), name="club_games"),
    path("<slug:slug>/games/new/", seasons.ClubGameStartView.as_view(), name="club_game_start"),
    path("<slug:slug>/games/<slug:game>/", seasons.ClubGameView.as_view(), name="club_game"),
    path("<slug:slug>/doubts/", seasons.DoubtsView.as_view(), name="club_doubts"),
    path("<slug:slug>/doubts/<int:number>/", seasons.DoubtView.as_view(), name="club_doubt"),
    path("<slug:slug>/doubts/<int:number>/decide/", seasons.DecisionView.as_view(), name="club_doubt_decide"),
    path("<slug:slug>/doubts/<int:number>/reopen/", seasons.AppealView.as_view(), name="club_doubt_reopen"),
]
