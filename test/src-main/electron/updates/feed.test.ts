import { expect, it } from 'vitest'
import { readCommandLine } from '../../../../src-main/electron/command-line.ts'
import {
  chooseFeed,
  type FeedFacts,
  refusalOf,
  updateTroubleOf,
} from '../../../../src-main/electron/updates/feed.ts'

it.each([
  ['a newer outbox is made of ours', 5, 'enough', null],
  ['the same one is read', 4, 'enough', null],
  ['an older one would refuse ours', 3, 'enough', 'olderOutbox'],
  ['only an administrator may install it', 5, 'administrator', 'administrator'],
] as const)('an offer is accepted by its outbox: %s', (_name, outboxSchema, rights, why) => {
  const offer = { version: '9.0.0', vendor: { outboxSchema } }
  expect(refusalOf(offer, { ourOutboxSchema: 4, rights })).toBe(why)
})

const settings = { feed: 'https://updates.clinic.example/', install: 'quietMoment' } as const
const ADMINISTRATOR = { kind: 'feed', url: settings.feed }
const packagedFeed = 'https://maker.example/'
const off = (why: string) => ({ kind: 'off', why })

it.each<[string, Partial<FeedFacts>, object]>([
  ['nowhere, unless it is stated', {}, off('noFeed')],
  ['the address of the administrator', { settings }, ADMINISTRATOR],
  ['the address of the maker', { packagedFeed }, { kind: 'feed', url: packagedFeed }],
  ['the address of the administrator, not of the maker', { settings, packagedFeed }, ADMINISTRATOR],
  ['nowhere, if they are switched off', { settings: { ...settings, install: 'off' } }, off('setOff')],
  ['nowhere, from the sources', { settings, isPackaged: false }, off('development')],
  ['nowhere, if the system installed it', { settings, platform: 'linux' }, off('packageManager')],
  // The installer would start another station.
  ...['--data=D:\\station', '--config=c.json', '--user-data-dir=D:\\account', '--safe-mode'].map(
    (option): [string, Partial<FeedFacts>, object] => [
      `nowhere, if it was started with ${option}`,
      { settings, commandLine: readCommandLine([option]) },
      off('commandLine'),
    ],
  ),
])('updates come from %s', (_name, facts, choice) => {
  const installed: FeedFacts = {
    isPackaged: true,
    platform: 'win32',
    commandLine: readCommandLine(['--hidden', '--lang=es', '--disable-gpu']),
    packagedFeed: null,
    settings: { feed: null, install: 'quietMoment' },
  }
  expect(chooseFeed({ ...installed, ...facts })).toEqual(choice)
})

it.each([
  ['ERR_CHECKSUM_MISMATCH', 'damaged'],
  ['ERR_UPDATER_INVALID_SIGNATURE', 'damaged'],
  ['ERR_UPDATER_NO_CHECKSUM', 'damaged'],
  ['ERR_UPDATER_INVALID_UPDATE_INFO', 'unreadable'],
  ['ENOSPC', 'noSpace'],
  ['ERR_UPDATER_CHANNEL_FILE_NOT_FOUND', 'unreachable'],
  [undefined, 'unreachable'],
])('an error %s means %s', (code, trouble) => {
  expect(updateTroubleOf(Object.assign(new Error('net::ERR'), { code }))).toBe(trouble)
})
