import { expect, it } from 'vitest'
import { readCommandLine } from '../../../src-main/electron/command-line.ts'

const nothing = { configPath: null, dataFolder: null, isHidden: false, isRecovering: false }

it.each([
  [[], nothing],
  [['.'], nothing],
  [['.', '--config', '/etc/station.json'], { ...nothing, configPath: '/etc/station.json' }],
  [['--config=C:\\station.json', '--hidden'], { ...nothing, configPath: 'C:\\station.json', isHidden: true }],
  [['--data', '/srv/station'], { ...nothing, dataFolder: '/srv/station' }],
  // Chromium's own words stand on the same line, also those that it adds at a second start.
  [
    ['--disable-gpu', '--lang=de', '--original-process-start-time=13', '--hidden'],
    { ...nothing, isHidden: true },
  ],
  [['--recover'], { ...nothing, isRecovering: true }],
  [['--config'], nothing],
])('reads %j', (words, commandLine) => {
  expect(readCommandLine(words)).toEqual(commandLine)
})
