import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type DownloadingSession,
  type DownloadItem,
  maySave,
  offerDownloads,
} from '../../../src-main/electron/window-security.ts'

const OWN = 'blob:app://station/1b671a64-40d5-491e-99b0-da01ff1f3341'

function session() {
  let listener: Parameters<DownloadingSession['on']>[1]
  offerDownloads({ on: (_event, heard) => (listener = heard) }, join('home', 'Documents'))
  /** Downloads a file; a person saves it in a folder, or not at all. */
  return (address: string, fileName: string, savedIn: string | null = null) => {
    let isCancelled = false
    const offered: string[] = []
    const item: DownloadItem = {
      getURL: () => address,
      getFilename: () => fileName,
      getSavePath: () => (savedIn === null ? '' : join(savedIn, fileName)),
      setSaveDialogOptions: ({ defaultPath }) => offered.push(defaultPath),
      once: (_event, done) => done({}, savedIn === null ? 'cancelled' : 'completed'),
    }
    listener({ preventDefault: () => (isCancelled = true) }, item)
    return { isCancelled, offered }
  }
}

describe('a file that is saved', () => {
  it.each([
    [OWN, true],
    ['blob:app://elsewhere/1', false],
    ['blob:null/1', false],
    ['blob:https://service.example/1', false],
    ['app://station/bytes/report/r-1', false],
    ['data:text/html,x', false],
    ['https://service.example/report.exe', false],
    ['', false],
  ])('comes from %s: %j', (address, isOurs) => {
    expect(maySave(address)).toBe(isOurs)
    expect(session()(address, 'report.pdf').isCancelled).toBe(!isOurs)
  })

  it('is offered where the last one went', () => {
    const download = session()
    expect(download(OWN, 'one.pdf', join('usb', 'reports')).offered).toEqual([
      join('home', 'Documents', 'one.pdf'),
    ])
    expect(download(OWN, 'two.pdf').offered).toEqual([join('usb', 'reports', 'two.pdf')])
    expect(download(OWN, 'three.pdf').offered).toEqual([join('usb', 'reports', 'three.pdf')])
  })

  it('never chooses its folder by its name', () => {
    expect(session()(OWN, '../../autostart/run.desktop').offered).toEqual([
      join('home', 'Documents', 'run.desktop'),
    ])
  })
})
