// What an address answers with, as bytes.
interface Fetched {
  status: number
  headers: Headers
  bytes: Buffer
}

export async function fetched(url: string, headers: Record<string, string> = {}): Promise<Fetched> {
  const answer = await fetch(url, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
