import { expect, it } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { type TrayEntry, trayMenu } from '../../../src-main/electron/tray.ts'

/** A line each: `[…]` can not be chosen. */
function drawn(entries: readonly TrayEntry[], before = ''): readonly string[] {
  return entries.flatMap((entry) => {
    switch (entry.kind) {
      case 'line':
        return ['---']
      case 'words':
        return [`[${entry.label}]`]
      case 'choice':
        return [`${before}${entry.label}: ${Object.values(entry.choice).join(' ')}`]
      case 'choices':
        return [entry.label, ...drawn(entry.entries, '> ')]
    }
  })
}

it('has the way to the window, what the station does, the pause and the end', () => {
  expect(drawn(trayMenu('possible', ['1 case needs attention', '2 on the way'], hostTexts('en')))).toEqual([
    'Open Fundus Courier: open',
    '---',
    '[1 case needs attention]',
    '[2 on the way]',
    '---',
    'Pause sending',
    '> For 15 minutes: pause 900',
    '> For 1 hour: pause 3600',
    '> Until somebody resumes: pause ',
    'Settings…: settings',
    'Help and diagnostics…: help',
    '---',
    'Quit: quit',
  ])
})

it('offers to resume in a pause, in the language that is spoken', () => {
  expect(drawn(trayMenu('inForce', ['envío en pausa hasta: 10:00'], hostTexts('es')))).toEqual([
    'Abrir Fundus Courier: open',
    '---',
    '[Envío en pausa hasta: 10:00]',
    '---',
    'Reanudar el envío: resume',
    'Ajustes…: settings',
    'Ayuda y diagnóstico…: help',
    '---',
    'Salir: quit',
  ])
})

it('offers neither where a person cannot end it here', () => {
  const drawing = drawn(trayMenu('none', ['signed out'], hostTexts('en')))
  expect(drawing.join()).not.toMatch(/Pause|Resume/)
})
