/** The suite that `mcpc init` writes without a server: one case on a server that anybody can start. Pure. */

/** Files by their path below the folder of the suite. */
export const templateFiles: Readonly<Record<string, string>> = {
  'read_file.yaml': `# One case: a tool is called, and its answer is judged. docs/suites.md describes every member.
# Run it: mcpc run FOLDER --fixture FOLDER/fixtures
name: a file can be read
server:
  # Your own server goes here, as: command: node, args: [server.js]
  command: npx
  args: [-y, "@modelcontextprotocol/server-filesystem", "{{fixture}}"]
assert:
  tool: read_text_file
  # Each case works on a copy of the fixture folder, which {{fixture}} names.
  args: { path: "{{fixture}}/hello.txt" }
  expect:
    not_error: true
    contains: ["Hello"]
    file_unchanged: ["{{fixture}}/hello.txt"]
timeout: 60s
`,
  'fixtures/hello.txt': 'Hello, world!\n',
};
