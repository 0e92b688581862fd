// How a file is named at its end, by what the service recognised in it: never by a name that somebody gave it.
const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
  'video/mp4': 'mp4',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/vnd.adobe.photoshop': 'psd',
  'image/svg+xml': 'svg',
  'application/postscript': 'eps',
  'image/vnd.dwg': 'dwg',
  'application/zip': 'zip',
}

export const extensionOf = ({ mime_type }: { mime_type: string }): string =>
  Object.hasOwn(extensions, mime_type) ? (extensions[mime_type] as string) : 'bin'
