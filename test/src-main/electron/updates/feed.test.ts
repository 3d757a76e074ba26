import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../../src-main/electron/command-line.ts'
import {
  chooseFeed,
  readOffer,
  updateTroubleOf,
  refusalOf,
  type FeedFacts,
} from '../../../../src-main/electron/updates/feed.ts'

describe('what a feed offers', () => {
  it.each<[string, unknown, object]>([
    [
      'tells the outbox it knows',
      { version: '0.2.0', vendor: { outboxSchema: 4 } },
      { version: '0.2.0', outboxSchema: 4 },
    ],
    ['may tell nothing of it', { version: '0.2.0', files: [] }, { version: '0.2.0', outboxSchema: null }],
    [
      'may tell nonsense of it',
      { version: '0.2.0', vendor: { outboxSchema: 'four' } },
      { version: '0.2.0', outboxSchema: null },
    ],
    ['may tell nonsense', { version: '0.2.0', vendor: 7 }, { version: '0.2.0', outboxSchema: null }],
  ])('%s', (_name, info, offer) => {
    expect(readOffer(info)).toEqual(offer)
  })

  it.each([
    ['a newer outbox is made of ours', 5, null],
    ['the same one is read', 4, null],
    ['an older one would refuse ours', 3, 'olderOutbox'],
    ['nothing is known of it', null, 'unstated'],
  ] as const)('is judged by its outbox: %s', (_name, outboxSchema, why) => {
    expect(refusalOf({ version: '9.0.0', outboxSchema }, 4)).toBe(why)
  })
})

describe('where updates are looked for', () => {
  const installed: FeedFacts = {
    isPackaged: true,
    platform: 'win32',
    commandLine: readCommandLine(['--hidden', '--lang=es', '--disable-gpu']),
    packagedFeed: null,
    settings: { feed: null, install: 'quietMoment' },
  }
  const settings = { feed: 'https://updates.clinic.example/', install: 'quietMoment' } as const
  it.each<[string, Partial<FeedFacts>, object]>([
    ['nowhere, unless it is said where', {}, { kind: 'off', why: 'noFeed' }],
    ['where the administrator says', { settings }, { kind: 'feed', url: settings.feed }],
    [
      'where the maker said',
      { packagedFeed: 'https://maker.example/' },
      { kind: 'feed', url: 'https://maker.example/' },
    ],
    [
      'where the administrator says rather than the maker',
      { settings, packagedFeed: 'https://maker.example/' },
      { kind: 'feed', url: settings.feed },
    ],
    [
      'nowhere, where they are switched off',
      { settings: { ...settings, install: 'off' } },
      { kind: 'off', why: 'setOff' },
    ],
    ['nowhere, from the sources', { settings, isPackaged: false }, { kind: 'off', why: 'development' }],
    [
      'nowhere, where the system installed it',
      { settings, platform: 'linux' },
      { kind: 'off', why: 'packageManager' },
    ],
    ...['--data=D:\\station', '--config=c.json', '--user-data-dir=D:\\account', '--safe-mode'].map(
      (word): [string, Partial<FeedFacts>, object] => [
        `nowhere, if the installer would not start it with ${word}: it would come back as another station`,
        { settings, commandLine: readCommandLine([word]) },
        { kind: 'off', why: 'commandLine' },
      ],
    ),
  ])('%s', (_name, facts, choice) => {
    expect(chooseFeed({ ...installed, ...facts })).toEqual(choice)
  })
})

describe('what an error means', () => {
  const coded = (code: string) => Object.assign(new Error('said something'), { code })
  it.each([
    [coded('ERR_CHECKSUM_MISMATCH'), 'damaged'],
    [coded('ERR_UPDATER_INVALID_SIGNATURE'), 'damaged'],
    [coded('ERR_UPDATER_NO_CHECKSUM'), 'damaged'],
    [coded('ERR_UPDATER_INVALID_UPDATE_INFO'), 'unreadable'],
    [coded('ENOSPC'), 'noSpace'],
    [coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'unreachable'],
    [new Error('net::ERR_NAME_NOT_RESOLVED'), 'unreachable'],
    ['nothing', 'unreachable'],
  ])('%o is %s', (error, trouble) => {
    expect(updateTroubleOf(error)).toBe(trouble)
  })
})
