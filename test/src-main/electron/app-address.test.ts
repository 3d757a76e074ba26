import { describe, expect, it } from 'vitest'
import { isAppAddress, isScreenAddress, readAppAddress } from '../../../src-main/electron/app-address.ts'
import { START_ADDRESS } from '../../../src-main/electron/app-scheme.ts'

describe('an address of the window', () => {
  it.each([
    ['app://station/', 'index.html'],
    [START_ADDRESS, 'index.html'],
    ['app://station/index.html?x=1#place', 'index.html'],
    ['app://station/assets/index-Bq3_x9.js', 'assets/index-Bq3_x9.js'],
    ['app://station/pdf/cmaps/78-EUC-H.bcmap', 'pdf/cmaps/78-EUC-H.bcmap'],
    // The parser itself takes these steps, as a browser would, and stays inside.
    ['app://station/assets/../index.html', 'index.html'],
    ['app://station/../../etc/passwd', 'etc/passwd'],
    ['app://station/%2e%2e/index.html', 'index.html'],
  ])('%s is the screen %s', (address, path) => {
    expect(readAppAddress(address)).toEqual({ kind: 'screen', path })
  })

  it.each([
    ['app://station/bytes/image/i-17', 'image', 'i-17'],
    ['app://station/bytes/thumbnail/a%20b', 'thumbnail', 'a b'],
    // An id is looked up, never opened as a path.
    ['app://station/bytes/report/..%2F..%2Fetc%2Fpasswd', 'report', '../../etc/passwd'],
  ])('%s are bytes', (address, bytesKind, id) => {
    expect(readAppAddress(address)).toEqual({ kind: 'bytes', bytesKind, id })
  })

  it.each([
    'app://station/..%2fsecrets.json',
    'app://station/assets/..%2f..%2fsecrets.json',
    'app://station/assets/..%5c..%5csecrets.json',
    'app://station/assets//index.js',
    'app://station/c:/windows/win.ini',
    'app://station/index.html::$DATA',
    'app://station/index.html%00.js',
    'app://station/.env',
    'app://station/assets/.hidden',
    'app://station/a..b',
    'app://station/%zz',
    'app://station/bytes/image',
    'app://station/bytes/image/',
    'app://station/bytes/image/1/2',
    'app://station/bytes/outbox/1',
    'app://elsewhere/index.html',
    'app://station:80/index.html',
    'app://user@elsewhere/index.html',
    'file:///etc/passwd',
    'https://station/index.html',
    'station/index.html',
    '',
  ])('%j is nothing', (address) => {
    expect(readAppAddress(address)).toBeNull()
  })

  it.each([
    ['app://station/index.html', true],
    ['app://station/bytes/report/1', true],
    ['app://station.example/index.html', false],
    ['app://stationx/', false],
    ['https://app//station/', false],
    ['about:blank', false],
    ['', false],
  ])('%j is ours: %j', (address, isOurs) => {
    expect(isAppAddress(address)).toBe(isOurs)
  })

  it.each([
    ['app://station/index.html#/queue', true],
    ['app://station/', true],
    ['app://station/bytes/report/1', false],
    ['app://station/files', false],
    ['app://station.example/index.html', false],
    ['https://station/index.html', false],
  ])('%j is a screen: %j', (address, isScreen) => {
    expect(isScreenAddress(address)).toBe(isScreen)
  })
})
