import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collections;
import java.util.List;
import software.amazon.event.ruler.Machine;

/** Reads {"rules": {name: pattern}, "events": [event]} and prints, for each event, the names of the rules that match it. */
public class Matched {
    public static void main(String[] arguments) throws Exception {
        JsonNode input = new ObjectMapper().readTree(System.in);
        Machine machine = Machine.builder().build();
        for (var rule : input.get("rules").properties()) machine.addRule(rule.getKey(), rule.getValue().asText());
        for (JsonNode event : input.get("events")) {
            List<String> names = machine.rulesForJSONEvent(event.asText());
            Collections.sort(names);
            System.out.println(String.join(",", names));
        }
    }
}
