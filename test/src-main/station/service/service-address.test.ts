import { describe, expect, it } from 'vitest'
import { readServiceAddress } from '../../../../src-main/station/service/http.ts'

describe('readServiceAddress', () => {
  it.each([
    ['https://host.example', 'https://host.example/cases'],
    ['https://host.example/', 'https://host.example/cases'],
    ['https://host.example/eye/api', 'https://host.example/eye/api/cases'],
    ['https://host.example/eye/api/', 'https://host.example/eye/api/cases'],
    ['https://host.example/eye/api//', 'https://host.example/eye/api/cases'],
    ['https://host.example:8443/index.php', 'https://host.example:8443/index.php/cases'],
    ['http://127.0.0.1:8080/api', 'http://127.0.0.1:8080/api/cases'],
    ['http://localhost:8080', 'http://localhost:8080/cases'],
    ['http://[::1]:8080', 'http://[::1]:8080/cases'],
  ])('puts one slash between %s and its endpoints', (base, expected) => {
    expect(readServiceAddress(base)?.endpoint('cases').href).toBe(expected)
  })

  it.each([
    'http://host.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example/api',
    'http://192.168.1.5/api',
    'ftp://127.0.0.1/',
    'https://user:secret@host.example/',
    'file:///etc/passwd',
    'https://host.example:99999',
    'nonsense',
  ])('refuses %s', (base) => {
    expect(readServiceAddress(base)).toBeNull()
  })

  it('escapes what would leave its segment', () => {
    const address = readServiceAddress('https://host.example/api')!
    expect(address.endpoint('cases', '../../x?y#z').href).toBe(
      'https://host.example/api/cases/..%2F..%2Fx%3Fy%23z',
    )
    expect(() => address.endpoint('cases', '..')).toThrow(TypeError)
  })

  it.each([
    ['?page=2', 'https://host.example/api/cases?page=2'],
    ['/api/cases?page=2#x', 'https://host.example/api/cases?page=2'],
    ['https://host.example/api/cases?page=2', 'https://host.example/api/cases?page=2'],
    ['http://host.example/api/cases?page=2', 'https://host.example/api/cases?page=2'],
    ['//host.example/x', 'https://host.example/x'],
    ['https://other.example/cases?page=2', null],
    ['//other.example/x', null],
    ['https://host.example:444/x', null],
    ['https://u:p@host.example/x', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['https://', null],
  ])('follows the link %s to %s', (link, expected) => {
    const address = readServiceAddress('https://host.example/api')!
    expect(address.resolveLink(link, address.endpoint('cases'))?.href ?? null).toBe(expected)
  })
})
