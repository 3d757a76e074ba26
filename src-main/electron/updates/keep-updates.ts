/**
 * Keeps the desktop app up to date without ever being in the way: fetched at any time, installed only when
 * `whetherToInstall` says so, after a checked backup of the outbox, and never over an outbox that it could not read.
 *
 *   off ⇄ current → looking → fetching → ready → installing (the app ends, and comes back as the new one)
 *                      ↓ refused        ↲ ↓ the feed offers another one, or none any more
 */
import { DAY, HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import type { UpdateState, UpdateTrouble } from '../../../src-shared/updates.ts'
import type { FeedChoice } from './choose-feed.ts'
import type { KeptUpdates, UpdatedStation, UpdateOptions } from './kept-updates.ts'
import { whyRefused } from './judge-offer.ts'
import type { UpdateProgram } from './update-program.ts'
import { troubleOf } from './update-trouble.ts'
import { whetherToInstall, type InstallDecision, type UpdateMoment } from './whether-to-install.ts'

/** A start has other things to do first. */
const FIRST_LOOK_AFTER_MS = 5 * MINUTE
const LOOK_EVERY_MS = 6 * HOUR
/** How often it is asked whether this is the moment. */
const CONSIDER_EVERY_MS = 30 * SECOND
/** A copy of the outbox this old is as good as a new one where there is no time to make one. */
const FRESH_BACKUP_MS = DAY

export function keepUpdates(options: UpdateOptions): KeptUpdates {
  const { clock, logger } = options
  let state: UpdateState = { kind: 'off', why: 'noFeed' }
  let wanted: UpdateSettings['install'] = 'quietMoment'
  let feed: FeedChoice = { kind: 'off', why: 'noFeed' }
  let station: UpdatedStation | null = null
  let sending = 0
  let asked: 'not' | 'now' = 'not'
  let editorUntil = Number.NEGATIVE_INFINITY
  let backedUpAt = Number.NEGATIVE_INFINITY
  /** No sooner than this is another copy tried. */
  let copyAgainAt = Number.NEGATIVE_INFINITY
  let isEndingForIt = false
  let cancelLook: (() => void) | null = null
  let cancelConsider: (() => void) | null = null

  const decide = (version: string, how: UpdateMoment['asked']): InstallDecision =>
    whetherToInstall({
      wanted,
      asked: how,
      sending,
      editor: clock.monotonicMs() < editorUntil ? 'open' : 'none',
      person: options.isPersonThere() ? 'there' : 'away',
      rights: options.rights,
      backup: clock.monotonicMs() - backedUpAt < FRESH_BACKUP_MS ? 'fresh' : 'old',
      tried: version === options.triedInVain ? 'inVain' : 'never',
    })
  const become = (next: UpdateState): void => {
    if (next.kind !== state.kind) logger.info('updates', { state: next.kind })
    state = next
  }
  const ready = (version: string, trouble: UpdateTrouble | null): void => {
    const decision = decide(version, asked)
    become({
      kind: 'ready',
      version,
      waitsFor: decision.kind === 'wait' ? decision.for : 'sending',
      trouble,
    })
  }
  const backUp = async (): Promise<boolean> => {
    copyAgainAt = clock.monotonicMs() + HOUR
    const made = await station?.backUp()
    if (!made?.ok) return false
    backedUpAt = clock.monotonicMs()
    return true
  }

  const countSending = async (): Promise<void> => {
    sending = (await station?.sending()) ?? 0
  }

  /** What the end is not begun without; null where all of it is there. */
  const prepare = async (version: string): Promise<UpdateTrouble | null> => {
    if (!(await backUp())) return 'notBackedUp'
    return (await options.note(version)) === 'noted' ? null : 'notNoted'
  }

  /** What is ready is installed where this is the moment; else what it waits for is said. */
  const isInstalling = (): boolean => state.kind === 'installing'
  const consider = async (): Promise<void> => {
    if (state.kind !== 'ready' || !station) return
    const { version, trouble } = state
    await countSending()
    if (state.kind !== 'ready' || state.version !== version) return
    if (decide(version, asked).kind === 'wait') {
      ready(version, trouble)
      // A quit leaves no time to make one.
      const now = clock.monotonicMs()
      if (now - backedUpAt >= FRESH_BACKUP_MS && now >= copyAgainAt) await backUp()
      return
    }
    // The disk that had no room for a copy has none half a minute later, either.
    const isTooSoon = clock.monotonicMs() < copyAgainAt
    if ((trouble === 'notBackedUp' || trouble === 'notNoted') && asked === 'not' && isTooSoon) return
    become({ kind: 'installing', version })
    const missing = await prepare(version)
    // Somebody may have switched updates off meanwhile.
    if (!isInstalling()) return options.forgetNote()
    if (missing !== null) {
      asked = 'not'
      return ready(version, missing)
    }
    // A case may have begun to leave while the copy was made.
    await countSending()
    if (!isInstalling()) return options.forgetNote()
    if (decide(version, asked).kind === 'wait') {
      await options.forgetNote()
      return ready(version, null)
    }
    isEndingForIt = true
    await options.endFor(version)
  }
  const keepConsidering = (): void => {
    cancelConsider?.()
    cancelConsider = clock.after(CONSIDER_EVERY_MS, () => {
      // Another word may be about to install it, and come to nothing.
      void consider().finally(() => ['ready', 'installing'].includes(state.kind) && keepConsidering())
    })
  }

  const fetchOffer = async (program: UpdateProgram, version: string): Promise<void> => {
    become({ kind: 'fetching', version, percent: 0 })
    try {
      // What this account could not install is not fetched.
      if (options.rights === 'enough')
        await program.fetch((percent) => {
          if (state.kind === 'fetching') state = { kind: 'fetching', version, percent }
        })
    } catch (error) {
      return cameToNothing(error)
    }
    // Somebody may have switched it off meanwhile.
    if (state.kind !== 'fetching') return
    ready(version, version === options.triedInVain ? 'notInstalled' : null)
    await consider()
    keepConsidering()
  }
  const cameToNothing = (error: unknown): void => {
    const trouble = troubleOf(error)
    logger.warn('no update could be had', { trouble })
    if (state.kind === 'off') return
    become({ kind: 'current', lookedAt: state.kind === 'current' ? state.lookedAt : null, trouble })
  }

  const look = async (): Promise<void> => {
    if (feed.kind === 'off' || !['current', 'refused', 'ready'].includes(state.kind)) return
    // What is ready stays so until its feed says otherwise.
    const known = state.kind === 'ready' ? state.version : null
    if (known === null) become({ kind: 'looking' })
    try {
      const program = await options.program()
      const offer = await program.look(feed.url)
      // It may have been switched off meanwhile, or what is ready is about to be installed.
      if (!isStillAt(known) || offer?.version === known) return
      asked = 'not'
      if (offer === null) return become({ kind: 'current', lookedAt: clock.now(), trouble: null })
      const why = whyRefused(offer, options.ourOutboxSchema)
      if (why !== null) {
        logger.warn('an update was refused', { version: offer.version, why })
        return become({ kind: 'refused', version: offer.version, why })
      }
      // Not waited for: it may be large, and the line slow.
      void fetchOffer(program, offer.version)
    } catch (error) {
      if (known === null) return cameToNothing(error)
      logger.warn('the feed of what is ready could not be read', { trouble: troubleOf(error) })
    }
  }
  /** Is it still being looked, or is the version ready for which it was looked whether it is still offered? */
  const isStillAt = (known: string | null): boolean =>
    known === null ? state.kind === 'looking' : state.kind === 'ready' && state.version === known
  const lookAfter = (delayMs: number): void => {
    cancelLook?.()
    cancelLook = clock.after(delayMs, () => {
      lookAfter(LOOK_EVERY_MS)
      void look()
    })
  }

  return {
    state: () => state,
    look,
    install: () => {
      if (state.kind !== 'ready') return
      asked = 'now'
      void consider()
    },
    holdOff: (seconds) => {
      editorUntil = clock.monotonicMs() + seconds * SECOND
    },
    follow: (next, choice) => {
      wanted = next
      feed = choice
      if (choice.kind === 'off') {
        cancelLook?.()
        // What lies here stays on the disk, and is not installed.
        become({ kind: 'off', why: choice.why })
      } else if (state.kind === 'off') {
        become({ kind: 'current', lookedAt: null, trouble: null })
        lookAfter(FIRST_LOOK_AFTER_MS)
      }
    },
    serve: (opened) => {
      station = opened
    },
    atEnd: async (by) => {
      if (state.kind !== 'ready' && state.kind !== 'installing') {
        // Switched off in the last moment: an app that ended for it is to be there again.
        if (isEndingForIt) options.comeBack()
        return
      }
      // A session that ends leaves no time, and after a fault nothing new is begun.
      if (by === 'other' && !isEndingForIt) return
      const how = isEndingForIt ? 'now' : 'quit'
      station = null
      const decision = decide(state.version, how)
      if (decision.kind === 'wait') {
        if (isEndingForIt) options.comeBack()
        return
      }
      try {
        const program = await options.program()
        await program.install(decision.after)
      } catch (error) {
        logger.error('the update could not be installed', { trouble: troubleOf(error) })
        // A station that stays ended takes nothing in and sends nothing.
        if (decision.after === 'restart') options.comeBack()
      }
    },
  }
}
