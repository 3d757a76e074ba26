/** The address where a browser may be sent: over https, without credentials in it; null for everything else. */
export function readWebAddress(text: string): URL | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url
}
