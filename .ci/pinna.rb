# A Homebrew formula that builds Pinna from its source, on Linux and macOS:
#   brew install --HEAD --formula ./pinna.rb
# It hasn't been run on macOS, nor with Homebrew anywhere: only its syntax was checked. Pinna itself is written for
# Linux, so expect that macOS needs changes to the program first.
class Pinna < Formula
  desc "Offline renderer of the sound of films and music"
  homepage "https://example.org/pinna"
  license "Apache-2.0"
  # Put the address of your repository here.
  head "https://example.org/pinna.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "ffmpeg"
  depends_on "hdf5"
  depends_on "libmysofa"
  depends_on "libsndfile"

  uses_from_macos "swift" => :build
  uses_from_macos "zlib"

  def install
    flags = ["-c", "release", "--product", "pinna", "--disable-sandbox"]
    # macOS has Swift's libraries; elsewhere they are linked into the program.
    flags << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *flags
    bin.install ".build/release/pinna"
    (man1/"pinna.1").write Utils.safe_popen_read(bin/"pinna", "manual")
    generate_completions_from_executable(bin/"pinna", "--generate-completion-script")
  end

  test do
    system bin/"pinna", "doctor"
    system bin/"pinna", "render", "silence:1s", "-l", "off", "-o", testpath/"silence.wav"
    assert_path_exists testpath/"silence.wav"
  end
end
