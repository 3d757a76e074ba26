import { expect, it } from 'vitest'
import { readRoute, type Route, writeRoute } from '../../../src-renderer/shell/navigation.tsx'

const ROUTES: readonly Route[] = [
  { screen: 'queue' },
  { screen: 'submission', id: 's/1 \u00e9%' },
  { screen: 'new' },
  { screen: 'cases' },
  { screen: 'cases', caseId: '#88/7' },
  { screen: 'reports', caseId: null },
  { screen: 'reports', caseId: '#88/7' },
  { screen: 'reports', caseId: '#88/7', submissionId: 's/1 \u00e9%' },
  { screen: 'activity', submissionId: null },
  { screen: 'activity', submissionId: 's/1 \u00e9%' },
  { screen: 'settings', section: null },
  { screen: 'settings', section: 'storage' },
  { screen: 'settings', section: 'folders' },
  { screen: 'settings', section: 'profiles', folder: 'D:\\Export/2026 \u00e9%' },
]

it.each(ROUTES.map((route) => [writeRoute(route), route] as const))(
  'reads %s as it was written',
  (hash, route) => {
    expect(readRoute(hash)).toEqual(route)
  },
)

it.each(['', '#', '#/nowhere', '#/queue/', '#token=abc'])('takes %j for home', (hash) => {
  expect(readRoute(hash)).toEqual({ screen: 'queue' })
})

it('does not fall over an address that was cut in the middle of an escape', () => {
  expect(readRoute('#/reports/88%2')).toEqual({ screen: 'reports', caseId: '88%2' })
})
