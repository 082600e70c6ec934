"""`rulewright serve`: people play any ruleset in a browser.

    workers     the threads in which everything is done that takes long
    limits      how much a stranger may ask for
    journal     an append-only file a game: every answer is on disk before anybody is told
    seats       who sits where: secret links, bots, names
    catalogue   which rulesets can be played, with which layers and options
    eyes        what one pair of eyes is shown, and what has changed for it
    record      what a journal says, and the game that comes of it
    consent     who has to agree that something is taken back
    hosted      one game: answers, bots, undo by consent, and what each pair of eyes is shown
    house       all games: begun, found again, put away, archived
    viewing     a game that is over, moment by moment
    patience    connections that say nothing are closed
    protocol    the messages of a connection
    connection  one WebSocket: one pair of eyes, differences, limits
    uploads     rulesets that strangers bring, tried out in a process of their own (`trial`)
    measure     how much this machine can serve; `weigh`: what games take of its memory
    app, api    addresses, headers, origins; the requests that are no connection
    static/     the page: no build step, nothing from the network

Nothing here knows a game: what is shown comes from `rulewright_tools.table`.
"""
