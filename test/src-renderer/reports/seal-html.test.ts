import { expect, it } from 'vitest'
import { withContentPolicy } from '../../../src-renderer/reports/report-formats.tsx'

it('puts the policy before anything that the page says', () => {
  const sealed = withContentPolicy('<html><head><script src="https://evil.example"></script>')
  expect(sealed.indexOf('Content-Security-Policy')).toBeLessThan(sealed.indexOf('<html>'))
  expect(sealed).toContain("default-src 'none'")
  for (const closed of ["base-uri 'none'", "form-action 'none'"]) expect(sealed).toContain(closed)
  expect(sealed).not.toMatch(/script-src|connect-src|frame-src|https?:\/\/(?!evil)/)
})
