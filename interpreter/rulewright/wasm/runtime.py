"""What every module needs, in the small language of `assemble`: moves, shuffles, lists, the log, who sees what.

Lists are their length and their items. Members of a place are linked: HEAD is what lies at the bottom, TAIL what lies on top.
"""

SOURCE = '''
def forget(component):
    if i32[KNOWN + 4 * component]:
        j(KNOWN + 4 * component)
        i32[KNOWN + 4 * component] = 0
    return 0

def look(n):
    i32[LOOKED] += n
    if i32[LOOKED] > i32[MOST_LOOKED]: stop()
    return 0

def alloc(n):
    at = i32[TOP]
    if at + 4 * n + 4 > ARENA_END: stop()
    i32[TOP] = at + 4 * n + 4
    i32[at] = n
    return at

def append(list, item):
    """The list is the last that was made, and grows."""
    n = i32[list] + 1
    at = list + 4 * n
    if at > ARENA_END: stop()
    i32[at] = item
    i32[list] = n
    i32[TOP] = at + 4
    return list

def item(value):
    """One more item of a list that is being made."""
    at = i32[ITEMS]
    if at >= ITEMS_END: stop()
    i32[at] = value
    i32[ITEMS] = at + 4
    return 0

def items(list):
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        item(i32[at])
        at += 4
    return 0

def collect(start):
    """The list of the items since there were so many."""
    n = (i32[ITEMS] - start) >> 2
    i32[ITEMS] = start
    if n == 0: return 0
    made = alloc(n)
    copy(made + 4, start, 4 * n)
    return made

def member_list(place):
    look(i32[COUNT + 4 * place] >> 4)
    made = alloc(0)
    each = i32[HEAD + 4 * place]
    while each >= 0:
        append(made, each)
        each = i32[NEXT + 4 * each]
    return made

def contains_item(list, item):
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        if i32[at] == item: return 1
        at += 4
    return 0

def same_items(one, other):
    n = i32[one]
    look(n + i32[other])
    if n != i32[other]: return 0
    look(n * n >> 4)
    at = one + 4
    while at < one + 4 * n + 4:
        if count_item(one, i32[at]) != count_item(other, i32[at]): return 0
        at += 4
    return 1

def same_order(one, other):
    if one == NONE: one = 0
    if other == NONE: other = 0
    look(i32[other])
    n = i32[one]
    k = 0
    while k <= n:
        if i32[one + 4 * k] != i32[other + 4 * k]: return 0
        k += 1
    return 1

def count_item(list, item):
    found = 0
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        if i32[at] == item: found += 1
        at += 4
    return found

def among(item, list):
    look(i32[list])
    if item < 0: return 0
    if contains_item(list, item): return 1
    if i32[list] == 0 or item >= COMPONENTS: return 0
    first = i32[list + 4]
    if first < 0 or first >= PLACES: return 0
    if u8[IS_PLACE + first] == 0: return 0
    return contains_item(list, i32[WHERE + 4 * item])

def belonging(owners):
    """What lies in places of some components, and in places of that."""
    made = alloc(0)
    at = owners + 4
    while at < owners + 4 + 4 * i32[owners]:
        append(made, i32[at])
        at += 4
    begun = i32[made]
    look(begun)
    number = 0
    while number < i32[made]:
        one = i32[made + 4 + 4 * number]
        n = 0
        look(number >> 4)
        while n < number and i32[made + 4 + 4 * n] != one: n += 1
        if n == number and one >= 0 and one < COMPONENTS:
            places = i32[PLACES_OF + 4 * one]
            at = places + 4
            while at < places + 4 + 4 * i32[places]:
                look(1 + i32[COUNT + 4 * i32[at]])
                each = i32[HEAD + 4 * i32[at]]
                while each >= 0:
                    append(made, each)
                    each = i32[NEXT + 4 * each]
                at += 4
        number += 1
    found = alloc(i32[made] - begun)
    copy(found + 4, made + 4 + 4 * begun, 4 * (i32[made] - begun))
    return found

def without(list, out):
    look(i32[list] + i32[out])
    if i32[out] == 0: return list
    made = alloc(0)
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        look(i32[out] >> 4)
        if contains_item(out, i32[at]) == 0: append(made, i32[at])
        at += 4
    return made

def once(list):
    made = alloc(0)
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        look(1 + (i32[made] >> 4))
        if contains_item(made, i32[at]) == 0: append(made, i32[at])
        at += 4
    return made

def take(list, amount, backwards):
    n = i32[list]
    look(n)
    if amount == NONE: amount = 0
    if amount > n: amount = n
    if amount < 0: amount = 0
    made = alloc(0)
    number = 0
    while number < amount:
        if backwards: append(made, i32[list + 4 * (n - number)])
        else: append(made, i32[list + 4 + 4 * number])
        number += 1
    return made

def numbers(low, high):
    if low == NONE: low = 0
    if high == NONE: high = 0
    if high - low >= i32[MOST_OPTIONS]: stop()
    if low <= high: look(high - low + 1)
    made = alloc(0)
    while low <= high:
        append(made, low)
        low += 1
    return made

def lookup(list, key, several):
    if list == NONE: list = 0
    look(i32[list])
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        inner = i32[at]
        if i32[inner + 4] == key:
            if several:
                made = alloc(0)
                n = 2
                while n <= i32[inner]:
                    append(made, i32[inner + 4 * n])
                    n += 1
                return made
            return i32[inner + 8]
        at += 4
    if several: return 0
    return NONE

def sort(list, keys, width):
    """Things by keys, each of which has so many numbers beside it; what comes first stays first."""
    n = i32[list]
    look(n * width)
    i = 1
    while i < n:
        j = i
        while j > 0 and less(keys + 4 + 4 * width * j, keys + 4 + 4 * width * (j - 1), width):
            swap(list + 4 + 4 * j, list + 4 * j)
            k = 0
            while k < width:
                swap(keys + 4 + 4 * (width * j + k), keys + 4 + 4 * (width * (j - 1) + k))
                k += 1
            j -= 1
        look((i - j) >> 4)
        i += 1
    return list

def less(a, b, width):
    k = 0
    while k < width:
        x = i32[a + 4 * k]
        y = i32[b + 4 * k]
        if x != y:
            if x == NONE: return 0
            if y == NONE: return 1
            return x < y
        k += 1
    return 0

def swap(a, b):
    x = i32[a]
    i32[a] = i32[b]
    i32[b] = x
    return 0

def any_real(list):
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        if i32[at] != NONE: return 1
        at += 4
    return 0

def owner(component):
    found = component
    n = 0
    while n < 20:
        if found == NONE or found < PLAYERS: return found
        found = i32[AROUND + 4 * i32[WHERE + 4 * found]]
        n += 1
    return NONE

def decider(component):
    if component < 0 or component >= PLACES: return NONE
    slot = i32[DECIDERS + 4 * component]
    if slot >= 0: return i32[VALUES + 4 * slot]
    if slot == -1: return component
    if slot == -2: return NONE
    return decided(component)

def asked(player):
    if player < 0 or player >= PLAYERS: return 0
    return i32[OUTCOMES + 4 * player] != ELIMINATED

def seers_into(place):
    bits = i32[SIGHT + 4 * place]
    if bits >= 0: return bits
    return seen_into(place)

def seers_of(component):
    if SECRETIVE == 0: return EVERYONE
    bits = seers_into(i32[WHERE + 4 * component])
    if bits == EVERYONE:
        if i32[HIDING + 4 * component] >= 0:
            if hidden(component): bits = 0
    return bits | i32[KNOWN + 4 * component]

def seers():
    """Who can tell what each component is, as bits: from TEMP on."""
    begin_look()
    each = 0
    while each < COMPONENTS:
        i32[TEMP + 4 * each] = seers_of(each)
        each += 1
    end_look()
    return 0

def knows(player, component):
    if component < 0: return 0
    bit = player
    if player == NONE: bit = PLAYERS
    return seers_of(component) >> bit & 1

def teller(place):
    holder = i32[HOLDERS + 4 * place]
    if holder == NONE: return EVERYONE
    return seers_of(holder)

def player_bits(list):
    bits = 0
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        who = i32[at]
        if who >= 0 and who < PLAYERS: bits = bits | 1 << who
        at += 4
    return bits

def told_bits(list):
    look(i32[list])
    bits = 0
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        who = decider(i32[at])
        if who != NONE: bits = bits | 1 << who
        at += 4
    return bits

def veiled(list, player):
    look(i32[list])
    if player == NONE: return list
    hidden_ones = 0
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        each = i32[at]
        if each >= 0 and each < COMPONENTS:
            if knows(player, each) == 0: hidden_ones += 1
        at += 4
    if hidden_ones < 2: return list
    start = i32[ITEMS]
    at = list + 4
    while at < end:
        each = i32[at]
        if each >= 0 and each < COMPONENTS:
            if knows(player, each) == 0: item(each)
        at += 4
    lying = collect(start)
    start = i32[ITEMS]
    n = 0
    while n < hidden_ones:
        each = i32[lying + 4 + 4 * n]
        holder = i32[HOLDERS + 4 * i32[WHERE + 4 * each]]
        if holder != NONE:
            if knows(player, holder) == 0: stop()
        item(i32[WHERE + 4 * each])
        item(position(player, each))
        n += 1
    sort(lying, collect(start), 2)
    start = i32[ITEMS]
    n = 0
    at = list + 4
    while at < end:
        each = i32[at]
        chosen = each
        if each >= 0 and each < COMPONENTS:
            if knows(player, each) == 0:
                n += 1
                chosen = i32[lying + 4 * n]
        item(chosen)
        at += 4
    return collect(start)

def plainly_hidden(player, component):
    """Stop where more is seen of a hidden thing than where it lies."""
    place = i32[WHERE + 4 * component]
    holder = i32[HOLDERS + 4 * place]
    if holder != NONE:
        if knows(player, holder) == 0: stop()
    if i32[BACKED + 4 * component]:
        if i32[BAGS + 4 * place] == 0 and (i32[PILES + 4 * place] == 0 or i32[TAIL + 4 * place] == component): stop()
    return 0

def position(player, component):
    """Which of the things in its place a component is; in a bag, which has no order that anybody could see, another one after every roll. Where something can be
    read on what cannot be told, the order is another: stop."""
    place = i32[WHERE + 4 * component]
    if BACKS:
        if i32[BAGS + 4 * place] == 0 and i32[PILES + 4 * place] == 0:
            seers = seers_into(place)
            bit = player
            if player == NONE: bit = PLAYERS
            if seers and (seers >> bit & 1) == 0:
                look(i32[COUNT + 4 * place])
                each = i32[HEAD + 4 * place]
                while each >= 0:
                    if knows(player, each) == 0:
                        if i32[BACKED + 4 * each]: stop()
                    each = i32[NEXT + 4 * each]
    index = 0
    if i32[BAGS + 4 * place]: look(i32[COUNT + 4 * place])
    else: look(i32[COUNT + 4 * place] >> 4)
    each = i32[HEAD + 4 * place]
    while each != component:
        index += 1
        each = i32[NEXT + 4 * each]
    if i32[BAGS + 4 * place] == 0: return index
    count = i32[COUNT + 4 * place]
    low = i32[RANDOM]
    high = i32[RANDOM1]
    order = alloc(count)
    n = 0
    while n < count:
        i32[order + 4 + 4 * n] = n
        n += 1
    n = count - 1
    while n > 0:
        swap(order + 4 + 4 * n, order + 4 + 4 * below(n + 1))
        n -= 1
    i32[RANDOM] = low
    i32[RANDOM1] = high
    n = 0
    while i32[order + 4 + 4 * n] != index: n += 1
    return n

def record(kind, fp):
    """Begin an entry of the log; the one before is told how long it is, behind its kind."""
    at = i32[LOG_TOP]
    if at > LOG_END or i32[LOGGED] >= i32[MOST_LOGGED]: stop()
    i32[LOGGED] += 1
    if at > LOG: i32[i32[LOG_LAST]] += (at - i32[LOG_LAST]) << 4
    i32[LOG_LAST] = at
    i32[at] = kind
    i32[at + 4] = i32[fp + 24]
    i32[at + 8] = i32[fp + 12]
    i32[at + 12] = i32[fp + 16]
    i32[at + 16] = i32[fp + 20]
    i32[LOG_TOP] = at + 20
    return at

def note_list(list):
    if list == NONE: list = 0
    n = i32[list]
    look(n)
    at = i32[LOG_TOP]
    if at + 4 * n > LOG_END: stop()
    k = 0
    while k <= n:
        i32[at + 4 * k] = i32[list + 4 * k]
        k += 1
    i32[LOG_TOP] = at + 4 * n + 4
    return 0

def inside(component, place):
    n = 0
    while n < 20:
        holder = i32[AROUND + 4 * place]
        if holder == NONE: return 0
        if holder == component: return 1
        place = i32[WHERE + 4 * holder]
        n += 1
    return 0

def put(component, to, bottom, fp):
    if i32[HOLLOW + 4 * component]:
        if inside(component, to): stop()
    before = i32[WHERE + 4 * component]
    look((i32[COUNT + 4 * before] + i32[COUNT + 4 * to]) >> 8)
    logging = i32[LOG_ON]
    seen = 0
    if logging: seen = seers_of(component)
    after = i32[NEXT + 4 * component]
    under = i32[PREV + 4 * component]
    out = HEAD + 4 * before
    if under >= 0: out = NEXT + 4 * under
    other = TAIL + 4 * before
    if after >= 0: other = PREV + 4 * after
    top = i32[JOURNAL_TOP]
    if top > JOURNAL_END: stop()
    jot(top, out)
    jot(top + 8, other)
    i32[out] = after
    i32[other] = under
    jot(top + 16, COUNT + 4 * before)
    i32[COUNT + 4 * before] -= 1
    jot(top + 24, WHERE + 4 * component)
    i32[WHERE + 4 * component] = to
    jot(top + 32, NEXT + 4 * component)
    jot(top + 40, PREV + 4 * component)
    if bottom:
        first = i32[HEAD + 4 * to]
        i32[PREV + 4 * component] = -1
        i32[NEXT + 4 * component] = first
        out = HEAD + 4 * to
        other = TAIL + 4 * to
        if first >= 0: other = PREV + 4 * first
    else:
        last = i32[TAIL + 4 * to]
        i32[NEXT + 4 * component] = -1
        i32[PREV + 4 * component] = last
        out = TAIL + 4 * to
        other = HEAD + 4 * to
        if last >= 0: other = NEXT + 4 * last
    jot(top + 48, other)
    i32[other] = component
    jot(top + 56, out)
    i32[out] = component
    jot(top + 64, COUNT + 4 * to)
    i32[COUNT + 4 * to] += 1
    i32[JOURNAL_TOP] = top + 72
    i32[VERSION] += 1
    if i32[BAGS + 4 * to]: forget(component)
    if logging:
        at = record(1, fp)
        i32[at + 20] = component
        i32[at + 24] = before
        i32[at + 28] = to
        i32[at + 32] = seen | seers_of(component)
        i32[at + 36] = teller(before) & teller(to)
        i32[LOG_TOP] = at + 40
    return 0

def move(component, to, bottom, crowd, fp):
    if i32[WHERE + 4 * component] == to:
        if i32[ORDERED + 4 * to]:
            if bottom:
                if i32[HEAD + 4 * to] != component: put(component, to, 1, fp)
            else:
                if i32[TAIL + 4 * to] != component: put(component, to, 0, fp)
        return 0
    if crowd or i32[COUNT + 4 * to] < i32[CAPACITY + 4 * to]: put(component, to, bottom, fp)
    return 0

def move_all(list, to, bottom, crowd, fp):
    look(i32[list])
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        move(i32[at], to, bottom, crowd, fp)
        at += 4
    return 0

def shuffle(place, fp):
    n = i32[COUNT + 4 * place]
    look(n)
    list = member_list(place)
    last = n - 1
    while last > 0:
        chosen = below(last + 1)
        swap(list + 4 + 4 * last, list + 4 + 4 * chosen)
        last -= 1
    under = -1
    k = 0
    while k < n:
        each = i32[list + 4 + 4 * k]
        forget(each)
        j(PREV + 4 * each)
        i32[PREV + 4 * each] = under
        other = HEAD + 4 * place
        if under >= 0: other = NEXT + 4 * under
        j(other)
        i32[other] = each
        under = each
        k += 1
    if n > 0:
        j(NEXT + 4 * under)
        i32[NEXT + 4 * under] = -1
        j(TAIL + 4 * place)
        i32[TAIL + 4 * place] = under
    i32[VERSION] += 1
    if i32[LOG_ON]:
        record(7, fp)
        note(place)
        note(teller(place))
    return 0

def show(list, bits, fp):
    n = i32[list]
    if n > 0:
        if i32[list + 4] >= COMPONENTS:
            made = alloc(0)
            at = list + 4
            end = at + 4 * n
            while at < end:
                each = i32[HEAD + 4 * i32[at]]
                while each >= 0:
                    append(made, each)
                    each = i32[NEXT + 4 * each]
                at += 4
            list = made
    look(i32[list])
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        each = i32[at]
        if bits & ~i32[KNOWN + 4 * each]:
            j(KNOWN + 4 * each)
            i32[KNOWN + 4 * each] = i32[KNOWN + 4 * each] | bits
            i32[VERSION] += 1
        at += 4
    if i32[list] > 0 and i32[LOG_ON]:
        record(4, fp)
        note_list(list)
        note(bits)
    return 0

def learn(list, bits, made):
    """Those of a list that somebody learns something of by being told."""
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        each = i32[at]
        if each >= 0 and each < COMPONENTS:
            if bits & ~seers_of(each): append(made, each)
        at += 4
    return 0

def outcome(list, how, fp):
    look(i32[list])
    at = list + 4
    end = at + 4 * i32[list]
    while at < end:
        player = i32[at]
        now = i32[OUTCOMES + 4 * player]
        if now == how or (now == ELIMINATED and how != WON): now = how
        else:
            i32[OUTCOMES + 4 * player] = how
            i32[VERSION] += 1
            if i32[LOG_ON]:
                record(8, fp)
                note(player)
                note(how)
        at += 4
    return 0

def used(unit, of):
    k = 0
    while k < i32[USED_COUNT]:
        if i32[USED + 8 * k] == unit and i32[USED + 8 * k + 4] == of: return 1
        k += 1
    return 0

def use(unit, of):
    k = i32[USED_COUNT]
    if k >= MOST_USED: stop()
    i32[USED + 8 * k] = unit
    i32[USED + 8 * k + 4] = of
    i32[USED_COUNT] = k + 1
    return 0

def free_used(unit):
    k = 0
    n = 0
    while k < i32[USED_COUNT]:
        if i32[USED + 8 * k] != unit:
            i32[USED + 8 * n] = i32[USED + 8 * k]
            i32[USED + 8 * n + 4] = i32[USED + 8 * k + 4]
            n += 1
        k += 1
    i32[USED_COUNT] = n
    return 0

def held_at(key):
    """Where a hook that holds for a time is written down; 0 if it holds no longer."""
    k = 0
    at = HELD
    while k < i32[HELD_COUNT]:
        if i32[at + 4] == 0 - key: return at
        at += HELD_SIZE
        k += 1
    return 0

def hold(hook, until):
    """One more hook that holds for a time; what it keeps is written behind what this gives."""
    k = i32[HELD_COUNT]
    if k >= MOST_HELD: stop()
    i32[HELD_COUNT] = k + 1
    i32[INSTALLS] += 1
    at = HELD + HELD_SIZE * k
    i32[at] = hook
    i32[at + 4] = i32[INSTALLS]
    i32[at + 8] = until
    return at + 16

def heir(record, event):
    """What was set anew for a longer time puts back what was there before; 0 if nothing was."""
    field = i32[RESTORES + 4 * i32[record]]
    k = 0
    while k < i32[HELD_COUNT]:
        at = HELD + HELD_SIZE * k
        if i32[at + 8] != event and i32[at + 4] > i32[record + 4] and i32[RESTORES + 4 * i32[at]] == field and i32[at + 16] == i32[record + 16]: return at
        k += 1
    return 0

def put_back(start, end, fp):
    """What was set for a time is put back, the last first."""
    while end > start:
        end -= 12
        at = i32[SP]
        if i32[end + 4] >= 0:
            copy(at, fp, 28)
            i32[at + 12] = NONE
            i32[at + 16] += 1
            i32[at + 24] = i32[HOOK_CAUSES + 4 * i32[end]]
            i32[at + 28] = i32[end + 4]
            i32[at + 32] = i32[end + 8]
            put_value(i32[end], at)
    return 0

def expire(event, fp):
    k = 0
    n = 0
    start = i32[ITEMS]
    while k < i32[HELD_COUNT]:
        at = HELD + HELD_SIZE * k
        if i32[at + 8] == event and i32[RESTORES + 4 * i32[at]] >= 0:
            other = heir(at, event)
            if other: i32[other + 20] = i32[at + 20]
            else:
                item(i32[at])
                item(i32[at + 16])
                item(i32[at + 20])
        k += 1
    k = 0
    while k < i32[HELD_COUNT]:
        at = HELD + HELD_SIZE * k
        if i32[at + 8] != event:
            if n < k: copy(HELD + HELD_SIZE * n, at, HELD_SIZE)
            n += 1
        k += 1
    i32[HELD_COUNT] = n
    end = i32[ITEMS]
    put_back(start, end, fp)
    i32[ITEMS] = start
    return 0

def open_batch():
    """The innermost batch that still gathers: what it has gathered is behind what this gives; 0 if there is none."""
    k = i32[BATCH_COUNT] - 1
    while k >= 0:
        if i32[BATCHES + 8 * k] == 0: return BATCHES + 8 * k
        k -= 1
    return 0

def begin_batch():
    k = i32[BATCH_COUNT]
    if k >= MOST_BATCHES: stop()
    i32[BATCHES + 8 * k] = 0
    i32[BATCHES + 8 * k + 4] = 0
    i32[BATCH_COUNT] = k + 1
    return 0

def gather(list):
    """Put hooks off until the batch is over."""
    batch = open_batch()
    if batch == 0: stop()
    look(i32[list] + (i32[i32[batch + 4]] >> 4))
    start = i32[ITEMS]
    items(i32[batch + 4])
    items(list)
    i32[batch + 4] = collect(start)
    return 0

def next_deferred():
    """The next hook of the batch that is over, which is taken out of it; 0 if there is none left: then the batch is gone."""
    batch = BATCHES + 8 * (i32[BATCH_COUNT] - 1)
    if i32[batch] == 0:
        i32[batch] = 1
        if open_batch():
            gather(i32[batch + 4])
            i32[batch + 4] = 0
        else:
            list = i32[batch + 4]
            start = i32[ITEMS]
            items(list)
            made = collect(start)
            start = i32[ITEMS]
            k = 1
            while k <= i32[made]:
                item(i32[HOOK_ORDER + 4 * i32[i32[made + 4 * k] + 4]])
                k += 1
            i32[batch + 4] = sort(made, collect(start), 1)
    list = i32[batch + 4]
    if i32[list] == 0:
        i32[BATCH_COUNT] -= 1
        return 0
    look(i32[list] >> 4)
    start = i32[ITEMS]
    k = 2
    while k <= i32[list]:
        item(i32[list + 4 * k])
        k += 1
    i32[batch + 4] = collect(start)
    return i32[list + 4]

def ongoing(unit, offset, of):
    fp = i32[FP]
    found = 0
    n = 0
    while fp:
        if i32[fp + 4] == unit and i32[fp + offset] == of: found = 1
        fp = i32[fp + 8]
        n += 1
    look(n >> 4)
    return found

def push(unit, size, cause, phase, by, fp):
    """A frame on top of another; its names are given by whoever calls."""
    at = i32[SP]
    if at + size > STACK_END: stop()
    i32[at + 4] = unit
    i32[at + 8] = fp
    if cause < 0:
        i32[at + 12] = i32[fp + 12]
        i32[at + 16] = i32[fp + 16]
        i32[at + 20] = i32[fp + 20]
        i32[at + 24] = i32[fp + 24]
    else:
        i32[at + 12] = by
        i32[at + 16] = i32[fp + 16] + 1
        if i32[at + 16] > i32[MOST_DEEP]: stop()
        if phase: i32[at + 20] = cause
        else: i32[at + 20] = i32[fp + 20]
        i32[at + 24] = cause
    i32[at] = 0
    i32[SP] = at + size
    i32[FP] = at
    return at

def pop(fp):
    i32[SP] = fp
    i32[FP] = i32[fp + 8]
    return 0
'''
