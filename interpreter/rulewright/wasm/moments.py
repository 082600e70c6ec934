"""What every module needs to go on and back, in the small language of `assemble`: moments of a game, choices, what they have revealed, and whole games inside.

A moment to go back to is a copy of what is small, the lists, and a journal of what was in the columns; behind it lies the log of the choice that led away from it.
"""

SOURCE = '''
def begin_look():
    """Somebody looks from outside: what that takes is counted by itself, and no list is left of it."""
    i32[LOOKED] = 0
    i32[ITEMS] = ITEMS_AT
    i32[LOOK_TOP] = i32[TOP]
    i32[TURNED] = 0
    return 0

def end_look():
    """Be as before, also where the module has stopped in between."""
    if i32[TURNED]:
        copy(IN, i32[TRAIL], i32[OUT_TOP] - i32[TRAIL])
        turn(1)
    else: i32[TOP] = i32[LOOK_TOP]
    return 0

def sealed():
    """Whether something random happened, or something hidden was revealed to somebody, by the choice that lies packed at IN."""
    begin_look()
    before = IN + 16 - SMALL
    if i32[before + RANDOM] != i32[RANDOM] or i32[before + RANDOM1] != i32[RANDOM1]: return 1
    if i32[JOINT + 4 * i32[before + QUESTION]]:
        more = depth(0) - depth(before)
        if more > 0: stop()
        if more < 0 or i32[JOINT + 4 * i32[before + QUESTION]] != i32[JOINT + 4 * i32[QUESTION]]: return 1
    journal = IN + 16 + i32[IN] + i32[IN + 4]
    log = journal + i32[IN + 8]
    if i32[IN + 12]:
        if shown_in(log): return 1
    seen_by(journal, log)
    end = i32[ITEMS]
    i32[TOP] = i32[LOOK_TOP]
    turn(0)
    i32[TURNED] = 1
    found = revealed(end)
    end_look()
    return found

def depth(before):
    """How many frames there are; or were, at a moment that lies so far behind where it was."""
    fp = i32[before + FP]
    n = 0
    while fp:
        n += 1
        fp = i32[before + fp + 8]
    return n

def seen(component, bits):
    """Somebody sees a component; NONE: everyone sees what can be read on it, as it lies on top of a pile."""
    item(component)
    item(bits)
    return 0

def shown_in(at):
    """Gather what entries of the log have shown, and to whom; gives whether something was said to some only: who knows what it said."""
    link = 1
    while link:
        kind = i32[at] & 15
        link = i32[at] >> 4
        if kind == 1: seen(i32[at + 20], i32[at + 32])
        list = 0
        if kind == 4:
            list = at + 20
            bits = i32[list + 4 * i32[list] + 4]
        if kind == 5:
            list = at + 28
            bits = i32[at + 24]
            if bits != EVERYONE: return 1
        if list:
            n = 1
            while n <= i32[list]:
                seen(i32[list + 4 * n], bits)
                n += 1
        at += link
    return 0

def seen_by(at, end):
    """Gather what a journal says may be seen otherwise than by being moved or shown, which stands in the log: what has other fields, and what lies on top of piles."""
    if PLAIN == 0:
        each = 0
        while each < COMPONENTS:
            seen(each, seers_of(each))
            each += 1
    while at < end:
        cell = i32[at]
        if cell < WHERE:
            each = i32[SIGHTED + cell - VALUES]
            if each >= 0: seen(each, seers_of(each))
        if BACKS and cell >= TAIL and cell < COUNT:
            each = i32[cell]
            if i32[PILES + cell - TAIL] and each >= 0:
                if i32[BACKED + 4 * each]: seen(each, NONE)
        at += 8
    return 0

def revealed(end):
    """Whether something that was gathered could not be seen at this moment."""
    at = ITEMS_AT
    i32[ITEMS] = end
    while at < end:
        each = i32[at]
        bits = i32[at + 4]
        if bits == NONE:
            place = i32[WHERE + 4 * each]
            if i32[PILES + 4 * place] == 0 or i32[TAIL + 4 * place] != each: return 1
        else:
            if bits & ~seers_of(each): return 1
        at += 8
    return 0

def relocate(at, depth):
    """Copy a list to where it will lie; gives its new address."""
    list = i32[at]
    if list < ARENA or list >= ARENA_END: return 0
    if at < SMALL: j(at)
    n = i32[list]
    top = i32[SCRATCH]
    i32[SCRATCH] = top + 4 * n + 4
    copy(TEMP + top, list, 4 * n + 4)
    i32[at] = ARENA + top
    if depth > 1:
        k = 1
        while k <= n:
            relocate(TEMP + top + 4 * k, depth - 1)
            k += 1
    return 0

def compact():
    """Keep only the lists that something still speaks of, the last of them what may be chosen, with who is asked what behind it."""
    i32[SCRATCH] = 0
    fp = i32[FP]
    while fp:
        table = i32[i32[LIST_NAMES + 4 * i32[fp + 4]] + 4 * i32[fp]]
        k = 0
        while k < i32[table]:
            what = i32[table + 4 + 4 * k]
            if i32[fp + (what >> 2)] >= ARENA: relocate(fp + (what >> 2), what & 3)
            k += 1
        fp = i32[fp + 8]
    k = 0
    while k < i32[LIST_SLOTS]:
        at = VALUES + 4 * i32[LIST_SLOTS + 4 + 4 * k]
        if i32[at] >= ARENA and i32[at] < ARENA_END: relocate(at, 1)
        k += 1
    k = 0
    while k < i32[HELD_COUNT]:
        at = HELD + HELD_SIZE * k
        table = i32[LIST_KEPT + 4 * i32[at]]
        n = 0
        while n < i32[table]:
            what = i32[table + 4 + 4 * n]
            relocate(at + (what >> 2), what & 3)
            n += 1
        k += 1
    k = 0
    while k < i32[BATCH_COUNT]:
        relocate(BATCHES + 8 * k + 4, 2)
        k += 1
    list = i32[VALUES_AT]
    if list:
        n = 4 * i32[list] + 4
        top = i32[SCRATCH]
        copy(TEMP + top, list, n)
        i32[TEMP + top + n] = i32[QUESTION] * PLAYERS + i32[PLAYER]
        i32[SCRATCH] = top + n + 4
        i32[VALUES_AT] = ARENA + top
    copy(ARENA, TEMP, i32[SCRATCH])
    i32[TOP] = ARENA + i32[SCRATCH]
    return 0

def keep_small():
    """Pack what is small, and the lists, behind how long each is, at the end of the trail; gives where that ends."""
    at = i32[TRAIL]
    small = i32[SP] - SMALL
    lists = i32[TOP] - ARENA
    i32[at] = small
    i32[at + 4] = lists
    copy(at + 16, SMALL, small)
    if lists: copy(at + 16 + small, ARENA, lists)
    return at + 16 + small + lists

def put_small(at):
    """Have again what is small as it is packed somewhere; gives where that ends."""
    small = i32[at]
    lists = i32[at + 4]
    copy(SMALL, at + 16, small)
    if lists: copy(ARENA, at + 16 + small, lists)
    return at + 16 + small + lists

def keep():
    """Remember the game as it is, to go back to it."""
    i32[KEPT] = i32[TRAIL]
    i32[OUT_TOP] = keep_small()
    i32[JOURNAL_TOP] = JOURNAL
    return 0

def exchange(at):
    """Have again what an entry of the journal says was there, and let it say what is there now."""
    cell = i32[at]
    now = i32[cell]
    i32[cell] = i32[at + 4]
    i32[at + 4] = now
    return 0

def exchange_all(at, end, forth):
    """Have again what a journal says, the last first unless the way leads forth; then it says how to come here again."""
    while at < end:
        if forth:
            exchange(at)
            at += 8
        else:
            end -= 8
            exchange(end)
    return 0

def restore():
    """Be as when the game was kept."""
    exchange_all(JOURNAL, i32[JOURNAL_TOP], 0)
    i32[JOURNAL_TOP] = JOURNAL
    put_small(i32[KEPT])
    return 0

def turn(forth):
    """Go to a neighbouring moment, as what lies packed at IN says; then what leads here again lies at the end of the trail."""
    out = i32[TRAIL]
    at = keep_small()
    journal = put_small(IN)
    end = journal + i32[IN + 8]
    exchange_all(journal, end, forth)
    i32[out + 8] = i32[IN + 8]
    i32[out + 12] = i32[IN + 12]
    copy(at, journal, i32[IN + 8] + i32[IN + 12])
    i32[OUT_TOP] = at + i32[IN + 8] + i32[IN + 12]
    return 0

def advance():
    """Go on until somebody has to decide or the game is over; gives how many things may be chosen."""
    i32[STEPS] = 0
    i32[LOOKED] = 0
    i32[ASKED] = 0
    i32[DEEP] = 0
    i32[ITEMS] = ITEMS_AT
    fp = i32[FP]
    while fp:
        if step(i32[fp + 4], fp) == DECIDE:
            if i32[STEPS] > i32[MOST_STEPS]: stop()
            return i32[i32[VALUES_AT]]
        fp = i32[FP]
    if i32[STEPS] > i32[MOST_STEPS]: stop()
    return 0

def run():
    """The same, after which no more lists are there than something speaks of."""
    options = advance()
    compact()
    return options

def go(index):
    """Give the answer of a position, and go on."""
    if index < 0 or index >= i32[i32[VALUES_AT]]: stop()
    fp = i32[FP]
    value = i32[i32[VALUES_AT] + 4 + 4 * index]
    if i32[LOG_ON]: note_choice(i32[QUESTION], fp, value)
    i32[fp + i32[SLOT]] = value
    i32[fp] = i32[THEN]
    i32[VALUES_AT] = 0
    return advance()

def choose(chosen):
    """Give an answer, told as its complement, and go on; then what led here is the last of the trail: what was small before, the lists, the journal, the log, behind how long
    each is. Gives the number under which the next decision is known outside, 1 if it is not; 0 if there is no such answer or no more room on the trail.
    """
    index = ~chosen
    if index < 0 or index >= i32[i32[VALUES_AT]] or i32[TRAIL] >= TRAIL_END: return 0
    keep()
    go(index)
    compact()
    pack()
    i32[TRAIL] = i32[OUT_TOP]
    list = i32[VALUES_AT]
    if list: return recall(list)
    return 1

def pack():
    """Put the journal and the log behind what was small before."""
    out = i32[TRAIL]
    journal = i32[JOURNAL_TOP] - JOURNAL
    log = i32[LOG_TOP] - LOG
    at = out + 16 + i32[out] + i32[out + 4]
    i32[out + 8] = journal
    i32[out + 12] = log
    if journal: copy(at, JOURNAL, journal)
    if log: copy(at + journal, LOG, log)
    i32[LOG_TOP] = LOG
    i32[OUT_TOP] = at + journal + log
    return 0

def slot(list):
    """Where to look for what may be chosen, and who is asked what: words as many as a list has, how many those are before them, and one behind."""
    end = list + 4 * i32[list] + 8
    found = 0
    while list < end:
        found = (found ^ i32[list]) * 16777619
        list += 4
    return MEMO + 4 * ((found ^ found >> 15) & MEMO_SLOTS - 1)

def recall(list):
    """The number under which a decision is known outside; 1 if it is not."""
    at = i32[slot(list)]
    if at == 0: return 1
    number = i32[at]
    end = list + 4 * i32[list] + 8
    while list < end:
        at += 4
        if i32[at] != i32[list]: return 1
        list += 4
    return number

def memorise(number):
    """Know the decision that lies at IN under a number; 0 if there is no more room."""
    size = 4 * i32[IN] + 8
    at = i32[MEMO_TOP]
    if at + size + 4 > MEMO_END: return 0
    i32[at] = number
    copy(at + 4, IN, size)
    i32[MEMO_TOP] = at + 4 + size
    i32[slot(IN)] = at
    return 1

def begin():
    """A new game as all begin, with a seed of its own: after its set-up, if that leaves nothing to chance."""
    i32[LOG_TOP] = LOG
    i32[JOURNAL_TOP] = JOURNAL
    i32[ORIGIN_POLICY] = i32[POLICY]
    i32[ORIGIN_POLICY1] = i32[POLICY1]
    i32[ORIGIN_MOVES] = i32[MOVES]
    copy(BLOCK, START, i32[START_SIZE])
    seed()
    copy(ARENA, START_ARENA, i32[START_LISTS])
    if i32[READY]: options = i32[i32[VALUES_AT]]
    else: options = advance()
    i32[PLAYING] = 1
    return options

def play(games):
    """Whole games with random choices, at most LEFT of them; gives how many were played. What happened in the last one that was begun is where it was left."""
    n = 0
    while n < games:
        if i32[PLAYING]: options = i32[i32[VALUES_AT]]
        else: options = begin()
        while options:
            if i32[LEFT] == 0: return n
            i32[LEFT] -= 1
            i32[LOG_TOP] = LOG
            i32[JOURNAL_TOP] = JOURNAL
            if i32[TOP] > ARENA + 4096: compact()
            i32[CHOSEN] = policy(options)
            options = go(i32[CHOSEN])
            i32[MOVES] += 1
        n += 1
        i32[PLAYING] = 0
        i32[FIRST] += 1
        p = 0
        while p < PLAYERS:
            if i32[OUTCOMES + 4 * p] == WON: i32[TALLY + 4 * p] += 1
            p += 1
    return n
'''
